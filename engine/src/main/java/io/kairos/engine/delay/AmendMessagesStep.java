package io.kairos.engine.delay;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.memory.MessageHolding.Withdrawal;
import io.kairos.engine.delay.memory.MessageKey;
import io.kairos.engine.delay.port.AmendmentDecision;
import io.kairos.engine.delay.port.AmendmentDecision.Decided;
import io.kairos.engine.delay.port.AmendmentDecision.RowChange;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.engine.delay.port.PendingAmendment;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.node.NodeIncarnation;
import io.kairos.engine.node.StoreUnavailable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides amendments of messages that this node holds. Only the holder knows whether firing has
 * begun, so an amendment waits in the store for the holder's decision. The step takes the message
 * out of the wheel first and writes the decision afterwards. An amendment of a message whose firing
 * has begun is too late. Amendments are linearizable per id: the decision takes effect when the
 * message leaves the wheel.
 */
record AmendMessagesStep(
    DelayContext node, AmendmentStore amendments, MessageClaims claims, Runnable tell) {
  private static final int MOST_PER_ROUND = 1_000;

  NextRound runOnce() {
    return node.whileActing(node.config().claiming().pollInterval(), this::round);
  }

  private NextRound round(NodeIncarnation incarnation) {
    List<PendingAmendment> pending = amendments.undecided(incarnation.id(), MOST_PER_ROUND);
    if (!pending.isEmpty() && incarnation.mayAct(node.monotonic().nanos())) {
      decide(incarnation, pending);
    }
    return pending.size() == MOST_PER_ROUND
        ? NextRound.AT_ONCE
        : NextRound.after(node.config().claiming().pollInterval());
  }

  private void decide(NodeIncarnation incarnation, List<PendingAmendment> pending) {
    // Amendments of one message keep their order.
    Map<MessageKey, List<PendingAmendment>> byMessage = new LinkedHashMap<>();
    for (PendingAmendment amendment : pending) {
      if (!claims.isUnanswered(amendment.message().fence())) {
        byMessage
            .computeIfAbsent(MessageKey.of(amendment.message()), k -> new ArrayList<>())
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
    for (AmendmentDecision decision : carriedOut) {
      RouteId route = decision.message().message().route();
      decision.outcomes().forEach(decided -> node.events().amended(route, decided.outcome()));
    }
    tell.run();
  }

  /**
   * Decides the amendments of one message. A message whose firing has not begun leaves memory and
   * goes back to the store, to be claimed again. Keeping it under its old fence would race with
   * other calls under way for that fence, such as a deferral.
   */
  private static AmendmentDecision decision(List<PendingAmendment> pending, Withdrawal withdrawal) {
    ClaimedMessage claimed = pending.getFirst().message();
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
