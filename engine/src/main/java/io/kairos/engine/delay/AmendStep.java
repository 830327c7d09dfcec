package io.kairos.engine.delay;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.Holding.Withdrawal;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentDecision.Decided;
import io.kairos.engine.delay.port.AmendmentDecision.RowChange;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.PendingAmendment;
import io.kairos.engine.delay.port.StoreUnavailable;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides amendments of messages that this node holds. The holder alone knows whether firing has
 * begun, so an amendment that reached the store waits here for its word: taken out of the wheel
 * first, then written. What has begun to fire is too late. Linearizable per id: the decision takes
 * effect where the message leaves the wheel.
 */
final class AmendStep implements Step {
  private static final int MOST_PER_ROUND = 1_000;

  private final NodeContext node;
  private final AmendmentStore amendments;
  private final Claims claims;
  private final Runnable tell;

  AmendStep(NodeContext node, AmendmentStore amendments, Claims claims, Runnable tell) {
    this.node = node;
    this.amendments = amendments;
    this.claims = claims;
    this.tell = tell;
  }

  @Override
  public String name() {
    return "amend";
  }

  @Override
  public Next runOnce() {
    Optional<Incarnation> acting = node.membership().acting();
    if (acting.isEmpty()) {
      return Next.after(node.config().claiming().pollInterval());
    }
    Incarnation incarnation = acting.get();
    List<PendingAmendment> pending = amendments.undecided(incarnation.id(), MOST_PER_ROUND);
    if (!pending.isEmpty() && incarnation.mayAct(node.monotonic().nanos())) {
      decide(incarnation, pending);
    }
    return pending.size() == MOST_PER_ROUND
        ? Next.AT_ONCE
        : Next.after(node.config().claiming().pollInterval());
  }

  private void decide(Incarnation incarnation, List<PendingAmendment> pending) {
    // Keyed by fence and id through the claim's message: amendments of one message keep their
    // order.
    Map<Key, List<PendingAmendment>> byMessage = new LinkedHashMap<>();
    for (PendingAmendment amendment : pending) {
      if (!claims.isUnanswered(amendment.message().fence())) {
        byMessage
            .computeIfAbsent(Key.of(amendment.message()), k -> new ArrayList<>())
            .add(amendment);
      }
    }
    if (byMessage.isEmpty()) {
      return;
    }
    List<AmendmentDecision> decisions = new ArrayList<>(byMessage.size());
    Set<Key> notHeld = new HashSet<>();
    for (Map.Entry<Key, List<PendingAmendment>> ofMessage : byMessage.entrySet()) {
      Withdrawal withdrawal = node.holding().withdraw(ofMessage.getValue().getFirst().message());
      if (withdrawal instanceof Withdrawal.NotHeld) {
        notHeld.add(ofMessage.getKey());
      }
      decisions.add(decision(ofMessage.getValue(), withdrawal instanceof Withdrawal.Begun));
    }
    List<AmendmentDecision> carriedOut;
    try {
      carriedOut = amendments.decide(incarnation.id(), decisions);
    } catch (StoreUnavailable e) {
      decisions.stream()
          .map(decision -> decision.message().fence())
          .distinct()
          .forEach(f -> claims.doubt(incarnation, f));
      throw e;
    }
    for (AmendmentDecision decision : carriedOut) {
      afterwards(incarnation, decision, notHeld.contains(Key.of(decision.message())));
    }
    tell.run();
  }

  private record Key(RouteId route, MessageId id) {
    static Key of(Claimed claimed) {
      return new Key(claimed.message().route(), claimed.message().id());
    }
  }

  private AmendmentDecision decision(List<PendingAmendment> pending, boolean launched) {
    Claimed claimed = pending.getFirst().message();
    boolean begun = launched || claimed.maybeFired();
    List<Decided> outcomes = new ArrayList<>(pending.size());
    if (begun) {
      pending.forEach(
          amendment -> outcomes.add(new Decided(amendment.number(), AmendmentOutcome.TOO_LATE)));
      return new AmendmentDecision(claimed, new RowChange.Keep(), outcomes);
    }
    long dueMicros = claimed.message().dueMicros();
    boolean cancelled = false;
    for (PendingAmendment amendment : pending) {
      outcomes.add(
          new Decided(
              amendment.number(),
              cancelled ? AmendmentOutcome.UNKNOWN_ID : AmendmentOutcome.APPLIED));
      if (!cancelled) {
        switch (amendment.amendment()) {
          case Amendment.Cancel _ -> cancelled = true;
          case Amendment.Reschedule(long newDueMicros) -> dueMicros = newDueMicros;
        }
      }
    }
    return new AmendmentDecision(
        claimed,
        cancelled ? new RowChange.Delete() : new RowChange.Reschedule(dueMicros, keeps(dueMicros)),
        outcomes);
  }

  private boolean keeps(long dueMicros) {
    long nowMicros = EpochMicros.of(node.clock().instant());
    return dueMicros <= nowMicros + EpochMicros.lengthOf(node.config().claiming().horizon())
        && !node.holding().roomAhead().isEmpty();
  }

  /** The store has carried it out: bring the memory into line. */
  private void afterwards(Incarnation incarnation, AmendmentDecision decision, boolean notHeld) {
    decision.outcomes().forEach(decided -> node.events().amended(decided.outcome()));
    DelayedMessage message = decision.message().message();
    switch (decision.change()) {
      case RowChange.Keep _ -> {
        if (notHeld) { // claimed with its amendments, so it was left out of memory until they were
          // decided
          claims.hold(incarnation, List.of(still(decision.message(), message)));
        }
      }
      case RowChange.Delete _ -> {}
      case RowChange.Reschedule(long dueMicros, boolean keepClaim) -> {
        if (keepClaim) {
          claims.hold(incarnation, List.of(still(decision.message(), message.dueAt(dueMicros))));
        }
      }
    }
  }

  private static Claimed still(Claimed claimed, DelayedMessage message) {
    return new Claimed(message, claimed.fence(), false, claimed.maybeFired());
  }
}
