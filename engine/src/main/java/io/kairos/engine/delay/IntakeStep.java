package io.kairos.engine.delay;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.Submission;
import io.kairos.domain.delay.SubmissionReader;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.Holding.Sent;
import io.kairos.engine.delay.IntakePlan.Entry;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.node.Incarnation;
import io.kairos.engine.node.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Takes records of one input topic in (CH-23, CH-24): batch by batch, each in one transaction that
 * also moves the stored position. First what cannot be handled goes to the dead-letter topic, then
 * what is late and unknown is published directly, then the rest is stored: claimed at once when it
 * is due within the horizon and memory has room, waiting otherwise. The position moves only when
 * every record of the batch is stored or its publish acknowledged; a dead letter that cannot be
 * written stops its own partition.
 */
final class IntakeStep implements Step {
  /** An id that is used again while its message is on its way out counts as pending after this. */
  private static final long ACKNOWLEDGED_WITHIN_NANOS = Duration.ofMillis(100).toNanos();

  private static final long DELETED_WITHIN_NANOS = Duration.ofSeconds(2).toNanos();

  /** Deletions are signalled; acknowledgements are not, and need the settle step at once. */
  private static final Duration ACKNOWLEDGEMENT_LOOKS_EVERY = Duration.ofMillis(10);

  private final NodeContext node;
  private final Route route;
  private final InputSource source;
  private final SubmissionReader reader;
  private final MessageStore messages;
  private final Claims claims;
  private final Parking parking;
  private final LateArrivals late;
  private final SentAhead sentAhead = new SentAhead();
  private final Wakeup tell;
  private final Wakeup settle;
  private final Wakeup deleted;

  /** The stored position of each partition that is being read. */
  private final Map<Integer, Long> positions = new HashMap<>();

  /** Partitions whose position must be asked of the store, with where to go on if it has none. */
  private final Map<Integer, OptionalLong> unpositioned = new HashMap<>();

  IntakeStep(
      NodeContext node,
      Route route,
      MessageStore messages,
      Publisher publisher,
      Outbox outbox,
      Claims claims,
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
    this.parking = new Parking(node, route, publisher, outbox, sentAhead);
    this.late = new LateArrivals(node, route, messages, outbox, advance, sentAhead);
    this.tell = tell;
    this.settle = settle;
    this.deleted = deleted;
  }

  @Override
  public String name() {
    return "intake-" + route.name();
  }

  @Override
  public Next runOnce() {
    Optional<Incarnation> acting = node.membership().acting();
    if (acting.isEmpty()) {
      return Next.after(node.config().claiming().pollInterval());
    }
    position();
    parking
        .due()
        .forEach((partition, offset) -> source.position(partition, OptionalLong.of(offset)));
    InputSource.Batch batch = source.poll(node.config().intake().pollTimeout());
    for (int partition : batch.unpositioned()) {
      positions.remove(partition);
      parking.forget(partition);
      sentAhead.forget(partition);
      unpositioned.put(partition, OptionalLong.empty());
    }
    if (!batch.records().isEmpty()) {
      takeIn(acting.get(), batch.records());
    }
    return Next.AT_ONCE;
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

  private void takeIn(Incarnation incarnation, List<InputRecord> records) {
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
      throw e;
    }
    plan.readAgainFrom()
        .forEach((partition, offset) -> source.position(partition, OptionalLong.of(offset)));
  }

  /**
   * The outcome is not known, or somebody else owns the partition: the store knows where to go on.
   */
  private void readAgain(Map<Integer, Long> from) {
    from.forEach((partition, offset) -> {
      positions.remove(partition);
      // Where it stopped is ahead of what is read again, or behind what the store says.
      parking.forget(partition);
      unpositioned.put(partition, OptionalLong.of(offset));
      node.events().repositioned(route.id(), partition);
    });
  }

  private void store(Incarnation incarnation, IntakePlan plan, long nowMicros) {
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
      taken(incarnation, plan, batch, submitted, messages.accept(batch));
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
   * Whoever has received a message may use its id again at once, which may be before this node has
   * deleted it: so its deletion is waited for, or the new message would be taken for a duplicate.
   * What a former life of the node has sent counts as well.
   */
  private void forgetFired(IntakePlan plan) {
    List<MessageId> ids = new ArrayList<>(plan.entries().size());
    for (Entry entry : plan.entries()) {
      if (entry.submission() instanceof Submission.Delay(DelayedMessage message)) {
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

  private void taken(
      Incarnation incarnation,
      IntakePlan plan,
      IntakeBatch batch,
      int submitted,
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
                .map(m -> new Claimed(m, batch.fence(), false, batch.maybeFired().contains(m.id())))
                .toList());
        source.stored(next);
        node.events().accepted(route.id(), inserted.size(), submitted - inserted.size());
        decided.forEach(node.events()::amended);
        if (!batch.amendments().isEmpty()) {
          tell.signal();
        }
      }
    }
  }

  /**
   * Divides what is to be stored; the first of several submissions of an id wins (CH-12). Returns
   * how many were submitted.
   */
  private int sort(
      Incarnation incarnation,
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
    Holding.Room room = node.holding().roomAhead();
    int messagesLeft = room.messages();
    long bytesLeft = room.bytes();
    Set<MessageId> seen = new HashSet<>();
    int submitted = 0;
    for (Entry entry : plan.entries()) {
      switch (entry.submission()) {
        case Submission.Delay(DelayedMessage message) -> {
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
        case Submission.Amend(MessageId id, var amendment) ->
            amendments.add(new AmendRequest(route.id(), id, amendment, replyTo(entry.input())));
        case Submission.Rejected _ -> {}
      }
    }
    return submitted;
  }

  private ReplyTo replyTo(InputRecord input) {
    return new ReplyTo.ResultsTopic(input.partition(), input.offset(), input.key());
  }
}
