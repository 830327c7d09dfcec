package io.kairos.simulator.delay;

import static io.kairos.simulator.delay.DelayRuleNames.FENCED;
import static io.kairos.simulator.delay.DelayRuleNames.LINEARIZABLE;
import static io.kairos.simulator.delay.DelayRuleNames.NO_CAUSELESS_COPY;
import static io.kairos.simulator.delay.DelayRuleNames.ONE_OWNER;
import static io.kairos.simulator.delay.DelayRuleNames.POSITIONS;
import static io.kairos.simulator.delay.DelayRuleNames.SETTLED_FIRST;
import static io.kairos.simulator.delay.DelayRuleNames.STAMPS;
import static io.kairos.simulator.delay.DelayRuleNames.UNIQUE;
import static io.kairos.simulator.delay.ProducedRecord.NEVER;
import static io.kairos.simulator.kernel.RareState.AMENDMENT_OF_UNKNOWN_ID;
import static io.kairos.simulator.kernel.RareState.AMENDMENT_TOO_LATE_AFTER_TAKEOVER;
import static io.kairos.simulator.kernel.RareState.CANCELLED_BY_HOLDER;
import static io.kairos.simulator.kernel.RareState.CANCELLED_BY_STORE;
import static io.kairos.simulator.kernel.RareState.CANCEL_TOO_LATE;
import static io.kairos.simulator.kernel.RareState.DEFERRED;
import static io.kairos.simulator.kernel.RareState.ID_REUSED_AFTER_FIRING;
import static io.kairos.simulator.kernel.RareState.RESCHEDULED_BY_HOLDER;
import static io.kairos.simulator.kernel.RareState.RESCHEDULED_BY_STORE;
import static io.kairos.simulator.kernel.RareState.RESET_BY_BACKSTOP;
import static io.kairos.simulator.kernel.RareState.TAKEOVER_IN_FLIGHT;
import static io.kairos.simulator.kernel.RuleNames.IDENTITY;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendRequest;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.LongHeldMessage;
import io.kairos.engine.delay.port.OffsetMove;
import io.kairos.engine.delay.port.ReplyTo;
import io.kairos.model.delay.DelayStoreObserver;
import io.kairos.simulator.delay.DelayHistory.IdKey;
import io.kairos.simulator.kernel.CallRules;
import io.kairos.simulator.kernel.ClusterScenario;
import io.kairos.simulator.kernel.PortCall;
import io.kairos.simulator.kernel.RuleViolation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Judges every change of the store when it happens, by the call that caused it and by the history
 * so far, and records it in the history. CH-15: from state to state as allowed; CH-27: deleted only
 * after the acknowledgement; CH-29: no two holders without suspicion.
 */
final class DelayStoreRules extends CallRules implements DelayStoreObserver {
  /** A clock that is set back leaves the stamps ahead, because they must rise. */
  private static final long MOST_AHEAD_MICROS = 6_000_000;

  private final DelayCluster world;
  private final DelayHistory ledger;
  private final ClusterScenario scenario;
  private final Map<NodeId, Long> lastStamps = new HashMap<>();
  private final List<Verdict> verdicts = new ArrayList<>();

  /** An outcome's promise about a message, verified when the call has done its work. */
  private record Verdict(
      AmendmentTrack track, AmendmentOutcome outcome, @Nullable ProducedRecord message) {}

  DelayStoreRules(DelayCluster world) {
    this.world = world;
    this.ledger = world.ledger;
    this.scenario = world.scenario;
  }

  /** Checks that a new pair has the node's time and is later than its former ones. */
  void stamped(Fence fence, long nodeClockMicros) {
    Long before = lastStamps.put(fence.readiedBy(), fence.readiedAtMicros());
    ledger.check(
        before == null || fence.readiedAtMicros() > before,
        STAMPS,
        () -> "a pair is used for a second claim: " + fence);
    long ahead = fence.readiedAtMicros() - nodeClockMicros;
    ledger.check(
        Math.abs(ahead) < MOST_AHEAD_MICROS,
        STAMPS,
        () -> "a stamp is " + ahead / 1_000 + " ms ahead of its node's clock: " + fence);
  }

  // Messages

  @Override
  public void inserted(DelayedMessage message, @Nullable Fence holder) {
    ProducedRecord instance = ledger.byTag(RecordTag.ofEncoded(message.headers()));
    ledger.note(1, () -> "stored " + instance + (holder == null ? ", waiting" : " for " + holder));
    ledger.check(
        current() instanceof PortCall.Accept, FENCED, () -> current() + " stored a message");
    ledger.check(
        instance.storedAt == NEVER, NO_CAUSELESS_COPY, () -> instance + " is stored a second time");
    ProducedRecord pending = ledger.stored.put(new IdKey(message.route(), message.id()), instance);
    ledger.check(
        pending == null, UNIQUE, () -> instance + " is stored while " + pending + " is too");
    ledger.check(
        instance.fires().map(fires -> fires.id().equals(message.id())).orElse(false)
            && message.dueMicros() == instance.dueMicros,
        IDENTITY,
        () -> instance + " is stored as " + message);
    for (AmendmentTrack later : ledger.amendmentsOf(message.route(), message.id())) {
      ledger.check(
          later.takenInAt == NEVER
              || later.partition != instance.submitted.partition()
              || later.offset < instance.submitted.offset(),
          LINEARIZABLE,
          () -> later + " was taken in before " + instance + ", which was submitted before it");
    }
    ledger.reached(
        ID_REUSED_AFTER_FIRING,
        ledger.withId(message.route(), message.id()).stream()
            .anyMatch(other -> other != instance && other.removedAt != NEVER));
    instance.storedAt = ledger.nowNanos();
    instance.holder = holder;
  }

  @Override
  public void removed(DelayedMessage message, @Nullable Fence holder) {
    ProducedRecord instance = ledger.byTag(RecordTag.ofEncoded(message.headers()));
    ledger.note(2, () -> "removed " + instance + " by " + current().getClass().getSimpleName());
    IdKey key = new IdKey(message.route(), message.id());
    switch (current()) {
      case PortCall.Delete(var fired) -> checkPair(holder, pairsOf(fired, key), instance);
      case PortCall.Decide(_, var decisions) -> {
        checkPair(holder, pairsOfDecisions(decisions, key), instance);
        instance.cancelled = true;
      }
      case PortCall.Accept _, PortCall.Request _ -> {
        ledger.check(
            holder == null, FENCED, () -> instance + " is removed behind its holder's back");
        instance.cancelled = true;
      }
      default -> throw new RuleViolation(FENCED, current() + " removed " + instance);
    }
    instance.removedAt = ledger.nowNanos();
    instance.holder = null;
    ledger.stored.remove(key);
  }

  @Override
  public void changedHands(DelayedMessage message, @Nullable Fence before, @Nullable Fence after) {
    ProducedRecord instance = ledger.byTag(RecordTag.ofEncoded(message.headers()));
    ledger.note(
        3,
        () ->
            "%s goes from %s to %s by %s"
                .formatted(instance, before, after, current().getClass().getSimpleName()));
    IdKey key = new IdKey(message.route(), message.id());
    switch (current()) {
      case PortCall.Claim(var request) ->
          ledger.check(
              before == null && request.to().equals(after),
              ONE_OWNER,
              () -> instance + " is claimed from " + before);
      case PortCall.TakeOver(var from, var request) -> {
        ledger.check(
            before != null && before.readiedBy().equals(from) && request.to().equals(after),
            ONE_OWNER,
            () -> instance + " is taken over from " + from + " but was held by " + before);
        ledger.check(
            world.lives.hasDeparted(from),
            ONE_OWNER,
            () -> instance + " is taken over from " + from + ", which is alive");
        checkSettledFirst(instance, from, request.to().readiedBy());
        ownerSuspected(instance);
      }
      case PortCall.Reset(var suspects) -> {
        checkPair(before, pairsOfSuspects(suspects, key), instance);
        long heldMicros =
            before == null
                ? 0
                : world.latestMicros() - Math.max(before.readiedAtMicros(), instance.dueMicros);
        ledger.check(
            heldMicros >= scenario.config().detection().holdTime().toNanos() / 1_000,
            ONE_OWNER,
            () -> instance + " is reset " + heldMicros / 1_000 + " ms after it was due and held");
        ownerSuspected(instance);
        ledger.reached(RESET_BY_BACKSTOP);
      }
      case PortCall.Defer(var held) -> {
        checkPair(before, pairsOf(held, key), instance);
        instance.wasDeferred = true;
        ledger.reached(DEFERRED);
      }
      case PortCall.Decide(_, var decisions) ->
          checkPair(before, pairsOfDecisions(decisions, key), instance);
      default -> throw new RuleViolation(FENCED, current() + " changed the holder of " + instance);
    }
    instance.holder = after;
  }

  /**
   * A node that runs on knows what was acknowledged to its former life: it neither retires that
   * life nor takes over from it before it has settled.
   */
  private void checkSettledFirst(ProducedRecord instance, NodeId from, NodeId to) {
    DelayNodeRun sender = world.runOf(from);
    if (sender == null || sender.isStopping() || !instance.isAcknowledgedTo(instance.holder)) {
      return;
    }
    boolean retired =
        world.liveness.departed().stream()
            .anyMatch(departed -> departed.node().equals(from) && departed.retired());
    ledger.check(
        !retired && !sender.hasLived(to),
        SETTLED_FIRST,
        () -> instance + " is taken over from " + from + ", to which it was acknowledged");
  }

  /**
   * A node does not reset messages that were acknowledged to it, which holds for a takeover too.
   */
  void resets(DelayNodeRun by, List<LongHeldMessage> suspects) {
    for (LongHeldMessage suspect : suspects) {
      ProducedRecord stored = ledger.stored(suspect.route(), suspect.id());
      ledger.check(
          stored == null
              || !suspect.fence().equals(stored.holder)
              || !by.hasLived(suspect.fence().readiedBy())
              || !stored.isAcknowledgedTo(stored.holder),
          SETTLED_FIRST,
          () -> by + " resets " + stored + ", which was acknowledged to it");
    }
  }

  private void ownerSuspected(ProducedRecord instance) {
    instance.excuses++;
    ledger.reached(TAKEOVER_IN_FLIGHT, instance.sends.stream().anyMatch(MessageSend::isInFlight));
  }

  @Override
  public void rescheduled(
      DelayedMessage before, DelayedMessage after, @Nullable Fence holderBefore) {
    ProducedRecord instance = ledger.byTag(RecordTag.ofEncoded(before.headers()));
    ledger.note(4, () -> "rescheduled " + instance + " to " + ledger.millis(after.dueMicros()));
    switch (current()) {
      case PortCall.Decide(_, var decisions) ->
          checkPair(
              holderBefore,
              pairsOfDecisions(decisions, new IdKey(before.route(), before.id())),
              instance);
      case PortCall.Accept _, PortCall.Request _ ->
          ledger.check(
              holderBefore == null,
              FENCED,
              () -> instance + " is rescheduled behind its holder's back");
      default -> throw new RuleViolation(FENCED, current() + " rescheduled " + instance);
    }
    instance.dueMicros = after.dueMicros();
  }

  /** Checks the pair of a row; one call may name the same id under several pairs. */
  private void checkPair(@Nullable Fence actual, List<Fence> asked, ProducedRecord instance) {
    ledger.check(
        actual != null && asked.contains(actual),
        FENCED,
        () ->
            "%s with %s changed %s, which carried %s"
                .formatted(current().getClass().getSimpleName(), asked, instance, actual));
  }

  private static List<Fence> pairsOf(List<ClaimedMessage> claims, IdKey key) {
    return claims.stream()
        .filter(claim ->
            claim.message().route().equals(key.route()) && claim.message().id().equals(key.id()))
        .map(ClaimedMessage::fence)
        .toList();
  }

  private static List<Fence> pairsOfDecisions(List<AmendmentDecision> decisions, IdKey key) {
    return pairsOf(decisions.stream().map(AmendmentDecision::message).toList(), key);
  }

  private static List<Fence> pairsOfSuspects(List<LongHeldMessage> suspects, IdKey key) {
    return suspects.stream()
        .filter(suspect -> suspect.route().equals(key.route()) && suspect.id().equals(key.id()))
        .map(LongHeldMessage::fence)
        .toList();
  }

  // Positions

  @Override
  public void positioned(RouteId route, int partition, OptionalLong before, long after) {
    ledger.note(5, () -> "input " + partition + " of route " + route.value() + " at " + after);
    long from = before.orElse(0);
    ledger.check(
        current() instanceof PortCall.Accept(var batch)
            && batch.moves().stream().anyMatch(move -> moves(move, partition, before, after)),
        POSITIONS,
        () -> "position " + partition + " moved from " + before + " to " + after + " unasked");
    ledger.check(
        after > from,
        POSITIONS,
        () -> "position " + partition + " moved back from " + before + " to " + after);
    for (ProducedRecord instance : ledger.takenIn(route, partition, from, after)) {
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
    ledger.byNumber.put(number, track);
    ledger.note(6, () -> "undecided " + track);
    ledger.check(
        ledger.stored(request.route(), request.id()) != null,
        LINEARIZABLE,
        () -> track + " waits for the holder of a message that is not stored");
  }

  @Override
  public void decided(long number, AmendRequest request, AmendmentOutcome outcome) {
    AmendmentTrack known = ledger.byNumber.get(number);
    AmendmentTrack track = known == null ? track(request) : known;
    ledger.note(7, () -> outcome + ": " + track + " by " + current().getClass().getSimpleName());
    ledger.check(
        track.outcome == null,
        LINEARIZABLE,
        () -> track + " was " + track.outcome + " and is decided again as " + outcome);
    if (known == null) {
      track.takenInAt = ledger.nowNanos();
      ledger.byNumber.put(number, track);
    }
    track.outcome = outcome;
    track.decidedAt = ledger.nowNanos();
    ProducedRecord pending = ledger.stored(request.route(), request.id());
    verdicts.add(new Verdict(track, outcome, pending == null ? lastRemoved(track) : pending));
    switch (outcome) {
      case APPLIED -> applied(track, pending);
      case TOO_LATE -> tooLate(track, pending == null ? lastRemoved(track) : pending);
      case UNKNOWN_ID -> {
        ledger.reached(AMENDMENT_OF_UNKNOWN_ID);
      }
    }
  }

  private void applied(AmendmentTrack track, @Nullable ProducedRecord pending) {
    boolean byHolder = current() instanceof PortCall.Decide;
    boolean cancel = track.amendment instanceof Amendment.Cancel;
    if (cancel) {
      ledger.reached(byHolder ? CANCELLED_BY_HOLDER : CANCELLED_BY_STORE);
    } else {
      ledger.reached(byHolder ? RESCHEDULED_BY_HOLDER : RESCHEDULED_BY_STORE);
    }
    ProducedRecord amended = pending == null ? lastRemoved(track) : pending;
    ledger.check(
        amended != null, LINEARIZABLE, () -> track + " is applied to a message that is gone");
    if (amended != null) {
      amended.appliedAt = ledger.nowNanos();
      for (MessageSend send : amended.sends) {
        ledger.check(
            !send.isWritten() || send.byWrongClock,
            LINEARIZABLE,
            () -> track + " is applied although the firing of " + amended + " had begun: " + send);
      }
    }
  }

  @Override
  public void forget() {
    verdicts.clear();
  }

  @Override
  public void verify(Object answer) {
    Map<ProducedRecord, Long> promisedDue = new HashMap<>();
    for (Verdict verdict : verdicts) {
      ProducedRecord message = verdict.message();
      switch (verdict.outcome()) {
        case APPLIED -> {
          if (message != null
              && verdict.track().amendment instanceof Amendment.Reschedule(long due)) {
            promisedDue.put(message, due);
          } else if (message != null) {
            promisedDue.remove(message);
            ledger.check(
                message.cancelled,
                LINEARIZABLE,
                () -> verdict.track() + " is answered with applied but " + message + " is stored");
          }
        }
        case TOO_LATE -> {}
        case UNKNOWN_ID ->
            ledger.check(
                ledger.stored(verdict.track().route, verdict.track().id) == null,
                LINEARIZABLE,
                () -> verdict.track() + " is answered with unknown id while it is stored");
      }
    }
    promisedDue.forEach((message, due) ->
        ledger.check(
            message.dueMicros == due,
            LINEARIZABLE,
            () -> message + " was to be rescheduled to " + ledger.millis(due)));
  }

  private void tooLate(AmendmentTrack track, @Nullable ProducedRecord target) {
    ledger.reached(CANCEL_TOO_LATE, track.amendment instanceof Amendment.Cancel);
    ledger.check(target != null, LINEARIZABLE, () -> track + " is too late for no message at all");
    if (target != null) {
      target.mustComeOut = true;
      boolean begun = !target.sends.isEmpty();
      ledger.reached(AMENDMENT_TOO_LATE_AFTER_TAKEOVER, !begun);
      ledger.check(
          begun || target.excuses > 0 || mayHaveBegun(target),
          LINEARIZABLE,
          () -> track + " is answered with too late before the firing of " + target + " began");
    }
  }

  /** True when the message is due, so that its holder may be about to send it. */
  private boolean mayHaveBegun(ProducedRecord instance) {
    return world.latestMicros()
        >= instance.dueMicros - scenario.advanceMicros() - scenario.clockBoundMicros();
  }

  private @Nullable ProducedRecord lastRemoved(AmendmentTrack track) {
    ProducedRecord last = null;
    for (ProducedRecord instance : ledger.withId(track.route, track.id)) {
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
          throw new RuleViolation(IDENTITY, "an amendment that nobody asked for: " + request);
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
