package io.kairos.engine.delay;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.Holding.Withdrawal;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentDecision.Decided;
import io.kairos.engine.delay.port.AmendmentDecision.RowChange;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.Claimed;
import io.kairos.engine.delay.port.PendingAmendment;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.node.Incarnation;
import io.kairos.engine.node.StoreUnavailable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    for (List<PendingAmendment> ofMessage : byMessage.values()) {
      Withdrawal withdrawal = node.holding().withdraw(ofMessage.getFirst().message());
      if (!(withdrawal instanceof Withdrawal.Leaving)) {
        decisions.add(decision(ofMessage, withdrawal));
      }
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
    carriedOut.stream()
        .flatMap(decision -> decision.outcomes().stream())
        .forEach(decided -> node.events().amended(decided.outcome()));
    tell.run();
  }

  private record Key(RouteId route, MessageId id) {
    static Key of(Claimed claimed) {
      return new Key(claimed.message().route(), claimed.message().id());
    }
  }

  /**
   * A message that is not begun comes out of memory and goes back to the store, to be claimed anew.
   * To hold it on under its old pair would be a race with every other call that is on its way for
   * that pair, such as a deferral.
   */
  private static AmendmentDecision decision(List<PendingAmendment> pending, Withdrawal withdrawal) {
    Claimed claimed = pending.getFirst().message();
    long dueMicros = claimed.message().dueMicros();
    if (withdrawal instanceof Withdrawal.Begun || claimed.maybeFired()) {
      return new AmendmentDecision(
          claimed,
          withdrawal instanceof Withdrawal.Begun
              ? new RowChange.Keep()
              : new RowChange.Reschedule(dueMicros),
          pending.stream()
              .map(amendment -> new Decided(amendment.number(), AmendmentOutcome.TOO_LATE))
              .toList());
    }
    List<Decided> outcomes = new ArrayList<>(pending.size());
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
        cancelled ? new RowChange.Delete() : new RowChange.Reschedule(dueMicros),
        outcomes);
  }
}
