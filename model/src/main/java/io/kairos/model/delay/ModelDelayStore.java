package io.kairos.model.delay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentDecision.Decided;
import io.kairos.engine.delay.port.AmendmentDecision.RowChange;
import io.kairos.engine.delay.port.AmendmentResult;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.ClaimRequest;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.delay.port.IntakeResult;
import io.kairos.engine.delay.port.KeptLetter;
import io.kairos.engine.delay.port.LetterMark;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.port.MessageCounts;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.delay.port.PendingAmendment;
import io.kairos.engine.delay.port.StoredMessage;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.model.node.ModelLivenessStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The delay queue's store in memory, on a given clock, for the simulator and for tests without a
 * database. Passes the same contract suites as Postgres. Never unavailable; wrappers add failures.
 * Thread-safe, one call at a time.
 */
public final class ModelDelayStore extends ModelLivenessStore
    implements MessageStore, AmendmentStore {
  private record InputPartition(RouteId route, TopicId topic, int partition) {}

  @GuardedBy("this")
  private final Map<String, RouteId> routes = new HashMap<>();

  @GuardedBy("this")
  private final Map<InputPartition, Long> positions = new HashMap<>();

  @GuardedBy("this")
  private final Map<UUID, KeptLetter> letters = new HashMap<>();

  @GuardedBy("this")
  private final Set<LetterMark> marks = new HashSet<>();

  private final DelayStoreObserver observer;

  @GuardedBy("this")
  private final MessageTable messages;

  @GuardedBy("this")
  private final ModelAmendments amendments;

  /**
   * @param clock the store's own clock
   */
  public ModelDelayStore(InstantSource clock) {
    this(clock, DelayStoreObserver.NONE);
  }

  /**
   * @param observer told of every change
   */
  public ModelDelayStore(InstantSource clock, DelayStoreObserver observer) {
    super(clock);
    this.observer = observer;
    this.messages = new MessageTable(observer);
    this.amendments = new ModelAmendments(observer);
  }

  /** A stored message as a looker from outside sees it, without its payload. */
  public record Stored(
      MessageId id, long dueMicros, Optional<Fence> holder, boolean amended, boolean maybeFired) {}

  /** Shows one message, if it is stored. */
  public synchronized Optional<Stored> look(RouteId route, MessageId id) {
    return Optional.ofNullable(messages.find(route, id)).map(ModelDelayStore::stored);
  }

  /** Shows all messages, in no order. */
  public synchronized List<Stored> lookAtAll() {
    return messages.all().stream().map(ModelDelayStore::stored).toList();
  }

  private static Stored stored(MessageRow row) {
    return new Stored(
        row.message.id(),
        row.message.dueMicros(),
        Optional.ofNullable(row.fence),
        row.amended,
        row.maybeFired);
  }

  @Override
  public synchronized boolean keep(KeptLetter letter) {
    letters.put(letter.id(), letter);
    return true;
  }

  @Override
  public synchronized Optional<KeptLetter> kept(UUID id) {
    return Optional.ofNullable(letters.get(id));
  }

  @Override
  public synchronized boolean mark(LetterMark letter, boolean again) {
    return marks.add(letter) || again;
  }

  @Override
  public synchronized void unmark(LetterMark letter) {
    marks.remove(letter);
  }

  @Override
  public synchronized Optional<StoredMessage> find(RouteId route, MessageId id) {
    return Optional.ofNullable(messages.find(route, id))
        .map(row ->
            new StoredMessage(row.message.dueMicros(), row.message.output(), row.fence != null));
  }

  @Override
  public synchronized RouteId route(String name) {
    return routes.computeIfAbsent(name, _ -> new RouteId(routes.size() + 1));
  }

  @Override
  public synchronized Map<Integer, Long> positions(
      RouteId route, TopicId topic, Collection<Integer> partitions) {
    Map<Integer, Long> found = new HashMap<>();
    for (int partition : partitions) {
      Long next = positions.get(new InputPartition(route, topic, partition));
      if (next != null) {
        found.put(partition, next);
      }
    }
    return found;
  }

  @Override
  public synchronized IntakeResult accept(IntakeBatch batch) {
    if (!isKnown(batch.fence().readiedBy())) {
      return new IntakeResult.Superseded();
    }
    for (OffsetMove move : batch.moves()) {
      Long at = positions.get(new InputPartition(batch.route(), move.topic(), move.partition()));
      if (at != null && at != move.expected()) {
        return new IntakeResult.Superseded();
      }
    }
    for (OffsetMove move : batch.moves()) {
      Long before =
          positions.put(
              new InputPartition(batch.route(), move.topic(), move.partition()), move.next());
      observer.positioned(
          batch.route(),
          move.partition(),
          before == null ? OptionalLong.empty() : OptionalLong.of(before),
          move.next());
    }
    Set<MessageId> inserted = new HashSet<>();
    insert(batch.claimed(), batch.fence(), inserted);
    insert(batch.waiting(), null, inserted);
    for (MessageId id : batch.maybeFired()) {
      MessageRow row = messages.find(batch.route(), id);
      if (row != null && inserted.contains(id)) {
        row.maybeFired = true;
      }
    }
    List<AmendmentOutcome> decided = new ArrayList<>();
    for (AmendRequest request : batch.amendments()) {
      decideAtOnce(request)
          .ifPresentOrElse(
              outcome -> {
                decided.add(outcome);
                amendments.addDecided(request, outcome, batch.fence().readiedBy(), time());
              },
              () -> amendments.addUndecided(request));
    }
    return new IntakeResult.Stored(inserted, decided);
  }

  @GuardedBy("this")
  private void insert(List<DelayedMessage> from, @Nullable Fence fence, Set<MessageId> inserted) {
    for (DelayedMessage message : from) {
      if (messages.insert(message, fence)) {
        inserted.add(message.id());
      }
    }
  }

  /** Amends the row if nobody has to be asked; empty when the holder, or the next one, decides. */
  @GuardedBy("this")
  private Optional<AmendmentOutcome> decideAtOnce(AmendRequest request) {
    MessageRow row = messages.find(request.route(), request.id());
    if (row == null) {
      return Optional.of(AmendmentOutcome.UNKNOWN_ID);
    }
    if (row.fence != null || row.amended) {
      row.amended = true;
      return Optional.empty();
    }
    if (row.maybeFired) {
      return Optional.of(AmendmentOutcome.TOO_LATE);
    }
    switch (request.amendment()) {
      case Amendment.Cancel _ -> messages.remove(row);
      case Amendment.Reschedule(long dueMicros) -> reschedule(row, dueMicros, null);
    }
    return Optional.of(AmendmentOutcome.APPLIED);
  }

  @GuardedBy("this")
  private void reschedule(MessageRow row, long dueMicros, @Nullable Fence fence) {
    messages.change(
        row,
        changed -> {
          changed.message = changed.message.dueAt(dueMicros);
          changed.deferredUntilMicros = MessageRow.NOT_DEFERRED;
          changed.fence = fence;
        });
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  public synchronized Set<MessageId> pending(RouteId route, Collection<MessageId> ids) {
    return ids.stream().filter(id -> messages.find(route, id) != null).collect(Collectors.toSet());
  }

  @Override
  public synchronized List<ClaimedMessage> claim(ClaimRequest request) {
    return give(messages.select(null, request), request.to());
  }

  @Override
  public synchronized List<ClaimedMessage> takeOver(
      NodeId from, ClaimRequest request, long maybeFiredMicros) {
    List<MessageRow> rows = messages.select(from, request);
    for (MessageRow row : rows) {
      row.maybeFired |= row.message.dueMicros() <= maybeFiredMicros;
    }
    return give(rows, request.to());
  }

  @GuardedBy("this")
  private List<ClaimedMessage> give(List<MessageRow> rows, Fence to) {
    for (MessageRow row : rows) {
      messages.change(row, changed -> changed.fence = to);
    }
    return rows.stream().map(MessageRow::asClaimed).toList();
  }

  @Override
  public synchronized List<ClaimedMessage> readBack(Fence fence) {
    return messages.heldBy(fence.readiedBy()).stream()
        .filter(row -> row.carries(fence))
        .map(MessageRow::asClaimed)
        .toList();
  }

  @Override
  public synchronized List<ClaimedMessage> delete(List<ClaimedMessage> fired) {
    List<ClaimedMessage> gone = new ArrayList<>();
    for (ClaimedMessage one : fired) {
      MessageRow row = held(one);
      if (row == null) {
        gone.add(one);
      } else {
        messages.remove(row);
        decideRemaining(row, AmendmentOutcome.TOO_LATE, one.fence().readiedBy());
      }
    }
    return gone;
  }

  @GuardedBy("this")
  private @Nullable MessageRow held(ClaimedMessage claimed) {
    MessageRow row = messages.find(claimed.message().route(), claimed.message().id());
    return row != null && row.carries(claimed.fence()) ? row : null;
  }

  @GuardedBy("this")
  private void decideRemaining(MessageRow row, AmendmentOutcome outcome, NodeId by) {
    for (ModelAmendments.Undecided one : undecidedOf(row)) {
      amendments.decide(one.number(), outcome, by, time());
    }
  }

  @GuardedBy("this")
  private List<ModelAmendments.Undecided> undecidedOf(MessageRow row) {
    return row.amended ? amendments.undecidedOf(row.message.route(), row.message.id()) : List.of();
  }

  @Override
  public synchronized void defer(List<ClaimedMessage> held, long untilMicros) {
    for (ClaimedMessage one : held) {
      MessageRow row = held(one);
      if (row != null) {
        messages.change(
            row,
            changed -> {
              changed.fence = null;
              changed.deferredUntilMicros = untilMicros;
              changed.maybeFired |= one.maybeFired();
            });
      }
    }
  }

  @Override
  public synchronized List<LongHeldMessage> overheld(Set<RouteId> of, long sinceMicros, int limit) {
    List<MessageRow> found = new ArrayList<>();
    for (NodeId holder : messages.holders(of)) {
      messages.heldBy(holder).stream()
          .filter(row -> of.contains(row.message.route()) && isHeldSince(row, sinceMicros))
          .limit(limit)
          .forEach(found::add);
    }
    found.sort(MessageRow.DUE_FIRST);
    return found.stream()
        .map(MessageRow::asClaimed)
        .map(one -> new LongHeldMessage(one.message().route(), one.message().id(), one.fence()))
        .toList();
  }

  private static boolean isHeldSince(MessageRow row, long micros) {
    Fence fence = row.fence;
    return fence != null && Math.max(fence.readiedAtMicros(), row.message.dueMicros()) <= micros;
  }

  @Override
  public synchronized List<LongHeldMessage> reset(List<LongHeldMessage> suspects) {
    List<LongHeldMessage> reset = new ArrayList<>();
    for (LongHeldMessage suspect : suspects) {
      MessageRow row = messages.find(suspect.route(), suspect.id());
      if (row != null && row.carries(suspect.fence())) {
        messages.change(row, changed -> changed.fence = null);
        row.maybeFired = true;
        reset.add(suspect);
      }
    }
    return reset;
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  public synchronized MessageCounts overview(Set<RouteId> of) {
    long stored = messages.all().stream().filter(row -> of.contains(row.message.route())).count();
    OptionalLong oldest =
        of.stream()
            .flatMap(route -> messages.shelf(route, null).stream())
            .mapToLong(row -> row.message.dueMicros())
            .min();
    long undecided =
        amendments.undecided().stream().filter(one -> of.contains(one.request().route())).count();
    return new MessageCounts(stored, oldest, undecided);
  }

  @Override
  public synchronized long request(AmendRequest request) {
    Optional<AmendmentOutcome> outcome = decideAtOnce(request);
    return outcome.isPresent()
        ? amendments.addDecided(request, outcome.get(), null, time())
        : amendments.addUndecided(request);
  }

  @Override
  public synchronized Optional<AmendmentOutcome> outcome(long number) {
    return amendments.outcome(number);
  }

  @Override
  public synchronized List<PendingAmendment> undecided(NodeId holder, int limit) {
    List<PendingAmendment> found = new ArrayList<>();
    for (ModelAmendments.Undecided one : amendments.undecided()) {
      MessageRow row = messages.find(one.request().route(), one.request().id());
      if (row != null && holder.equals(row.holder()) && found.size() < limit) {
        found.add(new PendingAmendment(one.number(), row.asClaimed(), one.request().amendment()));
      }
    }
    return found;
  }

  @Override
  public synchronized List<AmendmentDecision> decide(NodeId by, List<AmendmentDecision> decisions) {
    List<AmendmentDecision> carriedOut = new ArrayList<>();
    for (AmendmentDecision decision : decisions) {
      if (carryOut(decision, by)) {
        carriedOut.add(decision);
      }
    }
    return carriedOut;
  }

  @GuardedBy("this")
  private boolean carryOut(AmendmentDecision decision, NodeId by) {
    MessageRow row = held(decision.message());
    if (row == null) {
      return false;
    }
    Map<Long, AmendmentOutcome> outcomes = new HashMap<>();
    for (Decided decided : decision.outcomes()) {
      outcomes.put(decided.number(), decided.outcome());
    }
    for (ModelAmendments.Undecided one : undecidedOf(row)) {
      AmendmentOutcome outcome = outcomes.get(one.number());
      if (outcome != null) {
        amendments.decide(one.number(), outcome, by, time());
      }
    }
    switch (decision.change()) {
      case RowChange.Keep _ -> row.amended = !undecidedOf(row).isEmpty();
      case RowChange.Delete _ -> {
        messages.remove(row);
        decideRemaining(row, AmendmentOutcome.UNKNOWN_ID, by);
      }
      case RowChange.Reschedule(long dueMicros) -> {
        row.amended = !undecidedOf(row).isEmpty();
        reschedule(row, dueMicros, row.amended ? row.fence : null);
      }
    }
    return true;
  }

  @Override
  public synchronized List<AmendmentResult> untold(
      NodeId decidedBy, RouteId route, long afterNumber, int limit) {
    return amendments.untold(decidedBy, route, afterNumber, limit);
  }

  @Override
  public synchronized void told(Collection<Long> numbers) {
    amendments.forget(numbers);
  }

  @Override
  public synchronized void adoptUntold(NodeId from, NodeId to, Set<RouteId> served) {
    amendments.adopt(from, to, served);
  }

  @SuppressWarnings("GuardedBy") // lambdas run within the call
  @Override
  protected boolean isNeeded(NodeId node) {
    return messages.holdsAnything(node) || amendments.hasUntold(node);
  }

  @Override
  public synchronized void bury(Duration grace) {
    super.bury(grace);
    amendments.forgetUnread(time());
  }
}
