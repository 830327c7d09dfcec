package io.kairos.engine.delay;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.InputSubmission;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.SubmissionReader;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.IntakePlan.Entry;
import io.kairos.engine.delay.memory.MessageHolding;
import io.kairos.engine.delay.memory.MessageHolding.Sent;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.engine.delay.setup.Route;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.NodeIncarnation;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.trace.SpanPeriod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Stores the records of one input topic, batch by batch, each in one transaction that also moves
 * the stored position. Records that cannot be handled go to the dead-letter topic first. Messages
 * that are late and not stored yet are published directly. The rest is stored: claimed at once when
 * due within the horizon and memory has room, waiting otherwise. The position moves only when every
 * record of the batch is stored or its publish acknowledged. A dead letter that cannot be written
 * stops its own partition.
 */
final class IntakeStep {
  /**
   * How long the intake waits for the acknowledgement of a message in flight whose id is used
   * again. After that the new message counts as a duplicate.
   */
  private static final long ACKNOWLEDGED_WITHIN_NANOS = Duration.ofMillis(100).toNanos();

  private static final long DELETED_WITHIN_NANOS = Duration.ofSeconds(2).toNanos();

  /** Deletions signal a wakeup; acknowledgements do not, so the wait looks at intervals. */
  private static final Duration ACKNOWLEDGEMENT_LOOKS_EVERY = Duration.ofMillis(10);

  private final DelayContext node;
  private final Route route;
  private final InputSource source;
  private final SubmissionReader reader;
  private final MessageStore messages;
  private final MessageClaims claims;
  private final DeadLetterParking parking;
  private final LateArrivals late;
  private final EarlySends sentAhead = new EarlySends();
  private final Wakeup tell;
  private final Wakeup settle;
  private final Wakeup deleted;

  /** Stored positions by partition being read. */
  private final Map<Integer, Long> positions = new HashMap<>();

  /**
   * Partitions whose position must be read from the store, with the offset to use if it has none.
   */
  private final Map<Integer, OptionalLong> unpositioned = new HashMap<>();

  IntakeStep(
      DelayContext node,
      Route route,
      MessageStore messages,
      Publisher publisher,
      RecordOutbox outbox,
      MessageClaims claims,
      AdvanceGauge advance,
      Wakeup tell,
      Wakeup settle,
      Wakeup deleted) {
    this.node = node;
    this.route = route;
    this.source = route.source();
    this.reader = route.reader(node.config().intake().maxPayloadBytes());
    this.messages = messages;
    this.claims = claims;
    this.parking = new DeadLetterParking(node, route, messages, publisher, outbox, sentAhead);
    this.late = new LateArrivals(node, route, messages, outbox, advance, sentAhead);
    this.tell = tell;
    this.settle = settle;
    this.deleted = deleted;
  }

  NextRound runOnce() {
    return node.whileActing(node.config().claiming().pollInterval(), this::round);
  }

  private NextRound round(NodeIncarnation acting) {
    position();
    parking
        .due()
        .forEach((partition, offset) -> source.position(partition, OptionalLong.of(offset)));
    InputSource.Batch batch = source.poll(node.config().intake().pollTimeout());
    for (int partition : batch.unpositioned()) {
      positions.remove(partition);
      parking.forget(partition);
      unpositioned.put(partition, OptionalLong.empty());
    }
    if (!batch.records().isEmpty()) {
      takeIn(acting, batch.records());
    }
    return NextRound.AT_ONCE;
  }

  private void position() {
    if (unpositioned.isEmpty()) {
      return;
    }
    Map<Integer, Long> stored =
        messages.positions(route.id(), source.topic(), unpositioned.keySet());
    unpositioned.forEach((partition, otherwise) -> {
      Long position = stored.get(partition);
      OptionalLong from = position == null ? otherwise : OptionalLong.of(position);
      if (position == null) {
        positions.remove(partition);
      } else {
        positions.put(partition, position);
      }
      source.position(partition, from);
    });
    unpositioned.clear();
  }

  private void takeIn(NodeIncarnation incarnation, List<InputRecord> records) {
    List<Entry> entries = new ArrayList<>(records.size());
    for (InputRecord input : records) {
      if (!unpositioned.containsKey(input.partition())) {
        entries.add(new Entry(input, reader.read(input)));
      }
    }
    long nowMicros = EpochMicros.of(node.clock().instant());
    if (node.membership().actingAt(nowMicros).isEmpty()) {
      readAgain(IntakePlan.firstOffsets(entries));
      return;
    }
    IntakePlan plan = IntakePlan.of(entries);
    Map<Integer, Long> stops = parking.park(plan);
    stops.keySet().forEach(source::hold);
    plan = plan.without(stops);
    try {
      store(incarnation, plan, nowMicros);
    } catch (StoreUnavailable e) {
      readAgain(IntakePlan.firstOffsets(entries));
      node.events().notAccepted(route.id(), String.valueOf(e.getMessage()));
      throw e;
    }
    plan.readAgainFrom()
        .forEach((partition, offset) -> source.position(partition, OptionalLong.of(offset)));
  }

  /**
   * Reads partitions again from the store's positions, because the outcome is unknown or another
   * node owns a partition.
   */
  private void readAgain(Map<Integer, Long> from) {
    from.forEach((partition, offset) -> {
      positions.remove(partition);
      // The stop may lie after the offset that is read next, or before the stored position.
      parking.forget(partition);
      unpositioned.put(partition, OptionalLong.of(offset));
      node.events().repositioned(route.id(), partition);
    });
  }

  private void store(NodeIncarnation incarnation, IntakePlan plan, long nowMicros) {
    if (plan.entries().isEmpty()) {
      return;
    }
    forgetFired(plan);
    LateArrivals.Published published = late.publish(plan, nowMicros);
    Fence fence = new Fence(incarnation.id(), incarnation.nextStamp(nowMicros));
    List<DelayedMessage> claimed = new ArrayList<>();
    List<DelayedMessage> waiting = new ArrayList<>();
    List<AmendRequest> amendments = new ArrayList<>();
    int submitted = sort(incarnation, plan, published.out(), claimed, waiting, amendments);
    List<OffsetMove> moves = new ArrayList<>();
    Map<Integer, Long> next = plan.nextOffsets();
    Map<Integer, Long> first = IntakePlan.firstOffsets(plan.entries());
    first.forEach((partition, offset) -> {
      Long position = positions.get(partition);
      moves.add(
          new OffsetMove(
              source.topic(),
              partition,
              position == null ? offset : position,
              requireNonNull(next.get(partition))));
    });
    Set<MessageId> maybeFired = published.maybeOut();
    IntakeBatch batch =
        new IntakeBatch(route.id(), fence, moves, claimed, waiting, amendments, maybeFired);
    claims.asked(fence);
    try {
      taken(incarnation, plan, batch, submitted, nowMicros, messages.accept(batch));
    } catch (StoreUnavailable e) {
      if (!claimed.isEmpty()) {
        claims.doubt(incarnation, fence);
      }
      throw e;
    } finally {
      claims.answered(fence);
    }
  }

  /**
   * Waits until fired messages whose ids occur in the plan are deleted. A receiver may use an id
   * again at once, and before the deletion the new message would count as a duplicate. Sends of
   * former lives of the node count as well.
   */
  private void forgetFired(IntakePlan plan) {
    List<MessageId> ids = new ArrayList<>(plan.entries().size());
    for (Entry entry : plan.entries()) {
      if (entry.submission() instanceof InputSubmission.Delay(DelayedMessage message)) {
        ids.add(message.id());
      }
    }
    long startNanos = node.monotonic().nanos();
    for (Sent sent = node.holding().sent(route.id(), ids);
        sent.any();
        sent = node.holding().sent(route.id(), ids)) {
      long waitedNanos = node.monotonic().nanos() - startNanos;
      if (waitedNanos >= ACKNOWLEDGED_WITHIN_NANOS && !sent.acknowledged()) {
        return;
      }
      if (waitedNanos >= DELETED_WITHIN_NANOS) {
        throw new StoreUnavailable("fired messages whose ids are used again are not deleted yet");
      }
      settle.signal();
      deleted.await(ACKNOWLEDGEMENT_LOOKS_EVERY);
    }
  }

  private void trace(IntakeBatch batch, Set<MessageId> inserted, long sinceMicros) {
    SpanPeriod during = new SpanPeriod(sinceMicros, EpochMicros.of(node.clock().instant()));
    Stream.concat(batch.claimed().stream(), batch.waiting().stream())
        .filter(message -> inserted.contains(message.id()))
        .forEach(message -> node.spans().takenIn(message, during));
  }

  private void taken(
      NodeIncarnation incarnation,
      IntakePlan plan,
      IntakeBatch batch,
      int submitted,
      long nowMicros,
      IntakeResult result) {
    switch (result) {
      case IntakeResult.Superseded _ -> readAgain(IntakePlan.firstOffsets(plan.entries()));
      case IntakeResult.Stored(var inserted, var decided) -> {
        Map<Integer, Long> next = plan.nextOffsets();
        positions.putAll(next);
        sentAhead.stored(next);
        claims.hold(
            incarnation,
            batch.claimed().stream()
                .filter(m -> inserted.contains(m.id()))
                .map(m ->
                    new ClaimedMessage(
                        m, batch.fence(), false, batch.maybeFired().contains(m.id())))
                .toList());
        source.stored(next);
        node.events().accepted(route.id(), inserted.size(), submitted - inserted.size());
        if (node.spans().isOn()) {
          trace(batch, inserted, nowMicros);
        }
        decided.forEach(outcome -> node.events().amended(route.id(), outcome));
        if (!batch.amendments().isEmpty()) {
          tell.signal();
        }
      }
    }
  }

  /**
   * Divides the plan into claimed and waiting messages and amendments; the first of several
   * submissions of an id wins. Returns the number of submitted messages, duplicates included.
   */
  private int sort(
      NodeIncarnation incarnation,
      IntakePlan plan,
      Set<Entry> out,
      List<DelayedMessage> claimed,
      List<DelayedMessage> waiting,
      List<AmendRequest> amendments) {
    Duration horizon = node.config().claiming().horizon();
    long untilMicros = EpochMicros.of(node.clock().instant()) + EpochMicros.lengthOf(horizon);
    boolean mayClaim =
        !horizon.isZero()
            && incarnation.mayAct(node.monotonic().nanos())
            && node.holding().publishableRoutes(node.monotonic().nanos()).contains(route.id());
    MessageHolding.Room room = node.holding().roomAhead();
    int messagesLeft = room.messages();
    long bytesLeft = room.bytes();
    Set<MessageId> seen = new HashSet<>();
    int submitted = 0;
    for (Entry entry : plan.entries()) {
      switch (entry.submission()) {
        case InputSubmission.Delay(DelayedMessage message) -> {
          if (out.contains(entry)) {
            continue;
          }
          submitted++;
          if (!seen.add(message.id())) {
            continue;
          }
          if (mayClaim && message.dueMicros() <= untilMicros && messagesLeft > 0 && bytesLeft > 0) {
            messagesLeft--;
            bytesLeft -= message.sizeBytes();
            claimed.add(message);
          } else {
            waiting.add(message);
          }
        }
        case InputSubmission.Amend(MessageId id, var amendment) ->
            amendments.add(new AmendRequest(route.id(), id, amendment, replyTo(entry.input())));
        case InputSubmission.Rejected _ -> {}
      }
    }
    return submitted;
  }

  private ReplyTo replyTo(InputRecord input) {
    return new ReplyTo.ResultsTopic(input.partition(), input.offset(), input.key());
  }
}
