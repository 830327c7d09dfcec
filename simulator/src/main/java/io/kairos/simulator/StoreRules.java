package io.kairos.simulator;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.engine.delay.port.Suspect;
import io.kairos.testkit.delay.StoreObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Judges every change of the store at the moment it happens, by the call that asked for it and by
 * what the history knows (D4, D6, D7, D10), and writes it into the history.
 */
final class StoreRules extends CallRules implements StoreObserver {
  private record Key(RouteId route, MessageId id) {}

  /** A clock that is set back leaves the stamps ahead, because they must rise. */
  private static final long MOST_AHEAD_MICROS = 6_000_000;

  private final Ledger ledger;
  private final Scenario scenario;
  private final SimClock trueTime;

  private final Lives lives;
  private final Map<NodeId, Long> lastStamps = new HashMap<>();
  private final List<Verdict> verdicts = new ArrayList<>();

  /** What an outcome promises about a message, to be verified when the call has done its work. */
  private record Verdict(
      AmendmentTrack track, AmendmentOutcome outcome, @Nullable Instance message) {}

  StoreRules(Ledger ledger, Scenario scenario, SimClock trueTime, Lives lives) {
    this.ledger = ledger;
    this.scenario = scenario;
    this.trueTime = trueTime;
    this.lives = lives;
  }

  /** CH-25, CH-B3: a new pair tells the node's time and is later than its former ones. */
  void stamped(Fence fence, long nodeClockMicros) {
    Long before = lastStamps.put(fence.readiedBy(), fence.readiedAtMicros());
    ledger.check(
        before == null || fence.readiedAtMicros() > before,
        Rules.STAMPS,
        () -> "a pair is used for a second claim: " + fence);
    long ahead = fence.readiedAtMicros() - nodeClockMicros;
    ledger.check(
        Math.abs(ahead) < MOST_AHEAD_MICROS,
        Rules.STAMPS,
        () -> "a stamp is " + ahead / 1_000 + " ms ahead of its node's clock: " + fence);
  }

  // Messages

  @Override
  public void inserted(DelayedMessage message, @Nullable Fence holder) {
    Instance instance = ledger.byTag(Tag.ofEncoded(message.headers()));
    ledger.note(1, () -> "stored " + instance + (holder == null ? ", waiting" : " for " + holder));
    ledger.check(
        current() instanceof Operation.Accept, Rules.FENCED, () -> current() + " stored a message");
    ledger.check(
        instance.storedAt == Instance.NEVER,
        Rules.NO_CAUSELESS_COPY,
        () -> instance + " is stored a second time");
    Instance pending = ledger.putStored(message.route(), message.id(), instance);
    ledger.check(
        pending == null, Rules.UNIQUE, () -> instance + " is stored while " + pending + " is too");
    ledger.check(
        instance.fires().map(fires -> fires.id().equals(message.id())).orElse(false)
            && message.dueMicros() == instance.dueMicros,
        Rules.IDENTITY,
        () -> instance + " is stored as " + message);
    for (AmendmentTrack later : ledger.amendmentsOf(message.route(), message.id())) {
      ledger.check(
          later.takenInAt == Instance.NEVER
              || later.partition != instance.submitted.partition()
              || later.offset < instance.submitted.offset(),
          Rules.LINEARIZABLE,
          () -> later + " was taken in before " + instance + ", which was submitted before it");
    }
    if (ledger.withId(message.route(), message.id()).stream()
        .anyMatch(other -> other != instance && other.removedAt != Instance.NEVER)) {
      ledger.reached(RareState.ID_REUSED_AFTER_FIRING);
    }
    instance.storedAt = ledger.nowNanos();
    held(instance, holder);
  }

  @Override
  public void removed(DelayedMessage message, @Nullable Fence holder) {
    Instance instance = ledger.byTag(Tag.ofEncoded(message.headers()));
    ledger.note(2, () -> "removed " + instance + " by " + current().getClass().getSimpleName());
    Key key = new Key(message.route(), message.id());
    switch (current()) {
      case Operation.Delete(var fired) -> checkPair(holder, pairsOf(fired, key), instance);
      case Operation.Decide(_, var decisions) -> {
        checkPair(holder, pairsOfDecisions(decisions, key), instance);
        instance.cancelled = true;
      }
      case Operation.Accept _, Operation.Request _ -> {
        ledger.check(
            holder == null, Rules.FENCED, () -> instance + " is removed behind its holder's back");
        instance.cancelled = true;
      }
      default -> throw new RuleBroken(Rules.FENCED, current() + " removed " + instance);
    }
    instance.removedAt = ledger.nowNanos();
    instance.holder = null;
    ledger.removeStored(message.route(), message.id());
  }

  @Override
  public void changedHands(DelayedMessage message, @Nullable Fence before, @Nullable Fence after) {
    Instance instance = ledger.byTag(Tag.ofEncoded(message.headers()));
    ledger.note(
        3,
        () ->
            instance
                + " goes from "
                + before
                + " to "
                + after
                + " by "
                + current().getClass().getSimpleName());
    Key key = new Key(message.route(), message.id());
    switch (current()) {
      case Operation.Claim(var request) ->
          ledger.check(
              before == null && request.to().equals(after),
              Rules.ONE_OWNER,
              () -> instance + " is claimed from " + before);
      case Operation.TakeOver(var from, var request) -> {
        ledger.check(
            before != null && before.readiedBy().equals(from) && request.to().equals(after),
            Rules.ONE_OWNER,
            () -> instance + " is taken over from " + from + " but was held by " + before);
        ledger.check(
            lives.hasDeparted(from),
            Rules.ONE_OWNER,
            () -> instance + " is taken over from " + from + ", which is alive");
        ownerSuspected(instance);
      }
      case Operation.Reset(var suspects) -> {
        checkPair(before, pairsOfSuspects(suspects, key), instance);
        long heldMicros =
            before == null
                ? 0
                : trueTime.micros() - Math.max(before.readiedAtMicros(), instance.dueMicros);
        ledger.check(
            heldMicros >= scenario.config().detection().holdTime().toNanos() / 1_000,
            Rules.ONE_OWNER,
            () -> instance + " is reset " + heldMicros / 1_000 + " ms after it was due and held");
        ownerSuspected(instance);
        ledger.reached(RareState.RESET_BY_BACKSTOP);
      }
      case Operation.Defer(var held) -> {
        checkPair(before, pairsOf(held, key), instance);
        instance.wasDeferred = true;
        ledger.reached(RareState.DEFERRED);
      }
      case Operation.Decide(_, var decisions) ->
          checkPair(before, pairsOfDecisions(decisions, key), instance);
      default ->
          throw new RuleBroken(Rules.FENCED, current() + " changed the holder of " + instance);
    }
    held(instance, after);
  }

  private static void held(Instance instance, @Nullable Fence holder) {
    instance.holder = holder;
  }

  private void ownerSuspected(Instance instance) {
    instance.excuses++;
    if (instance.sends.stream().anyMatch(Send::isInFlight)) {
      ledger.reached(RareState.TAKEOVER_IN_FLIGHT);
    }
  }

  @Override
  public void rescheduled(
      DelayedMessage before, DelayedMessage after, @Nullable Fence holderBefore) {
    Instance instance = ledger.byTag(Tag.ofEncoded(before.headers()));
    ledger.note(4, () -> "rescheduled " + instance + " to " + ledger.millis(after.dueMicros()));
    switch (current()) {
      case Operation.Decide(_, var decisions) ->
          checkPair(
              holderBefore,
              pairsOfDecisions(decisions, new Key(before.route(), before.id())),
              instance);
      case Operation.Accept _, Operation.Request _ ->
          ledger.check(
              holderBefore == null,
              Rules.FENCED,
              () -> instance + " is rescheduled behind its holder's back");
      default -> throw new RuleBroken(Rules.FENCED, current() + " rescheduled " + instance);
    }
    instance.dueMicros = after.dueMicros();
  }

  /** One call may name the same id under several pairs. */
  private void checkPair(@Nullable Fence actual, List<Fence> asked, Instance instance) {
    ledger.check(
        actual != null && asked.contains(actual),
        Rules.FENCED,
        () ->
            current().getClass().getSimpleName()
                + " with "
                + asked
                + " changed "
                + instance
                + ", which carried "
                + actual);
  }

  private static List<Fence> pairsOf(List<Claimed> claims, Key key) {
    return claims.stream()
        .filter(claim ->
            claim.message().route().equals(key.route()) && claim.message().id().equals(key.id()))
        .map(Claimed::fence)
        .toList();
  }

  private static List<Fence> pairsOfDecisions(List<AmendmentDecision> decisions, Key key) {
    return pairsOf(decisions.stream().map(AmendmentDecision::message).toList(), key);
  }

  private static List<Fence> pairsOfSuspects(List<Suspect> suspects, Key key) {
    return suspects.stream()
        .filter(suspect -> suspect.route().equals(key.route()) && suspect.id().equals(key.id()))
        .map(Suspect::fence)
        .toList();
  }

  // Positions

  @Override
  public void positioned(RouteId route, int partition, OptionalLong before, long after) {
    ledger.note(5, () -> "input " + partition + " of route " + route.value() + " at " + after);
    long from = before.orElse(0);
    ledger.check(
        current() instanceof Operation.Accept(var batch)
            && batch.moves().stream().anyMatch(move -> moves(move, partition, before, after)),
        Rules.POSITIONS,
        () -> "position " + partition + " moved from " + before + " to " + after + " unasked");
    ledger.check(
        after > from,
        Rules.POSITIONS,
        () -> "position " + partition + " moved back from " + before + " to " + after);
    for (Instance instance : ledger.takenIn(route, partition, from, after)) {
      instance.takenInAt = ledger.nowNanos();
    }
  }

  private static boolean moves(OffsetMove move, int partition, OptionalLong before, long after) {
    return move.partition() == partition
        && move.next() == after
        && (before.isEmpty() || before.getAsLong() == move.expected());
  }

  // Amendments

  @Override
  public void undecided(long number, AmendRequest request) {
    AmendmentTrack track = track(request);
    track.takenInAt = ledger.nowNanos();
    ledger.numbered(number, track);
    ledger.note(6, () -> "undecided " + track);
    ledger.check(
        ledger.stored(request.route(), request.id()) != null,
        Rules.LINEARIZABLE,
        () -> track + " waits for the holder of a message that is not stored");
  }

  @Override
  public void decided(long number, AmendRequest request, AmendmentOutcome outcome) {
    AmendmentTrack known = ledger.numbered(number);
    AmendmentTrack track = known == null ? track(request) : known;
    ledger.note(7, () -> outcome + ": " + track + " by " + current().getClass().getSimpleName());
    ledger.check(
        track.outcome == null,
        Rules.LINEARIZABLE,
        () -> track + " was " + track.outcome + " and is decided again as " + outcome);
    if (known == null) {
      track.takenInAt = ledger.nowNanos();
      ledger.numbered(number, track);
    }
    track.outcome = outcome;
    track.decidedAt = ledger.nowNanos();
    Instance pending = ledger.stored(request.route(), request.id());
    verdicts.add(new Verdict(track, outcome, pending == null ? lastRemoved(track) : pending));
    switch (outcome) {
      case APPLIED -> applied(track, pending);
      case TOO_LATE -> tooLate(track, pending == null ? lastRemoved(track) : pending);
      case UNKNOWN_ID -> {
        ledger.reached(RareState.AMENDMENT_OF_UNKNOWN_ID);
      }
    }
  }

  private void applied(AmendmentTrack track, @Nullable Instance pending) {
    boolean byHolder = current() instanceof Operation.Decide;
    boolean cancel = track.amendment instanceof Amendment.Cancel;
    if (cancel) {
      ledger.reached(byHolder ? RareState.CANCELLED_BY_HOLDER : RareState.CANCELLED_BY_STORE);
    } else {
      ledger.reached(byHolder ? RareState.RESCHEDULED_BY_HOLDER : RareState.RESCHEDULED_BY_STORE);
    }
    Instance amended = pending == null ? lastRemoved(track) : pending;
    ledger.check(
        amended != null, Rules.LINEARIZABLE, () -> track + " is applied to a message that is gone");
    if (amended != null) {
      amended.appliedAt = ledger.nowNanos();
      for (Send send : amended.sends) {
        ledger.check(
            !send.isWritten() || send.byWrongClock,
            Rules.LINEARIZABLE,
            () -> track + " is applied although the firing of " + amended + " had begun: " + send);
      }
    }
  }

  @Override
  void forget() {
    verdicts.clear();
  }

  @Override
  void verify(Object answer) {
    Map<Instance, Long> promisedDue = new HashMap<>();
    for (Verdict verdict : verdicts) {
      Instance message = verdict.message();
      switch (verdict.outcome()) {
        case APPLIED -> {
          if (message != null
              && verdict.track().amendment instanceof Amendment.Reschedule(long due)) {
            promisedDue.put(message, due);
          } else if (message != null) {
            promisedDue.remove(message);
            ledger.check(
                message.cancelled,
                Rules.LINEARIZABLE,
                () -> verdict.track() + " is answered with applied but " + message + " is stored");
          }
        }
        case TOO_LATE -> {}
        case UNKNOWN_ID ->
            ledger.check(
                ledger.stored(verdict.track().route, verdict.track().id) == null,
                Rules.LINEARIZABLE,
                () -> verdict.track() + " is answered with unknown id while it is stored");
      }
    }
    promisedDue.forEach((message, due) ->
        ledger.check(
            message.dueMicros == due,
            Rules.LINEARIZABLE,
            () -> message + " was to be rescheduled to " + ledger.millis(due)));
  }

  private void tooLate(AmendmentTrack track, @Nullable Instance target) {
    if (track.amendment instanceof Amendment.Cancel) {
      ledger.reached(RareState.CANCEL_TOO_LATE);
    }
    ledger.check(
        target != null, Rules.LINEARIZABLE, () -> track + " is too late for no message at all");
    if (target != null) {
      target.mustComeOut = true;
      boolean begun = !target.sends.isEmpty();
      if (!begun) {
        ledger.reached(RareState.AMENDMENT_TOO_LATE_AFTER_TAKEOVER);
      }
      ledger.check(
          begun || target.excuses > 0 || mayHaveBegun(target),
          Rules.LINEARIZABLE,
          () -> track + " is answered with too late before the firing of " + target + " began");
    }
  }

  /** It is due, so its holder may just be about to send it. */
  private boolean mayHaveBegun(Instance instance) {
    return trueTime.micros()
        >= instance.dueMicros - scenario.advanceMicros() - scenario.clockBoundMicros();
  }

  private @Nullable Instance lastRemoved(AmendmentTrack track) {
    Instance last = null;
    for (Instance instance : ledger.withId(track.route, track.id)) {
      if (instance.removedAt == ledger.nowNanos()) {
        last = instance;
      }
    }
    return last;
  }

  private AmendmentTrack track(AmendRequest request) {
    return switch (request.replyTo()) {
      case ReplyTo.ResultsTopic(int partition, long offset, _) -> {
        AmendmentTrack track = ledger.controlRecord(request.route(), partition, offset);
        if (track == null || !track.id.equals(request.id())) {
          throw new RuleBroken(Rules.IDENTITY, "an amendment that nobody asked for: " + request);
        }
        yield track;
      }
      case ReplyTo.Caller _ -> {
        AmendmentTrack track =
            new AmendmentTrack(
                request.route(), request.id(), request.amendment(), ledger.nowNanos(), -1, -1);
        ledger.requested(track);
        yield track;
      }
    };
  }
}
