package io.kairos.simulator.delay;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.simulator.kernel.ClusterScenario;
import io.kairos.simulator.kernel.RareState;
import io.kairos.simulator.kernel.RuleNames;
import io.kairos.simulator.kernel.VirtualClock;
import java.time.Duration;

/**
 * Judges the whole history when the world has been healed and has drained: nothing lost (D1), every
 * copy has a cause (D5), every amendment an outcome that came true (D10), all on time in the calm
 * at the end (D3).
 */
final class DelayFinalRules {
  private static final long CALM_NANOS = ClusterScenario.CALM_AT.toNanos();
  private static final long END_NANOS = ClusterScenario.END_AT.toNanos();

  /** Messages that come due this close to the end may still be on their way. */
  private static final long LAST_MOMENT_NANOS = Duration.ofSeconds(3).toNanos();

  private final DelayHistory ledger;
  private final ClusterScenario scenario;

  DelayFinalRules(DelayHistory ledger, ClusterScenario scenario) {
    this.ledger = ledger;
    this.scenario = scenario;
  }

  void check() {
    for (ProducedRecord instance : ledger.instances()) {
      switch (instance.submitted.expected()) {
        case ProducedRecord.Expected.IsParked _ -> checkParked(instance);
        case ProducedRecord.Expected.Fires fires -> checkMessage(instance, fires);
      }
    }
    ledger.amendments.forEach(this::checkAmendment);
  }

  private void checkParked(ProducedRecord garbage) {
    ledger.check(
        garbage.takenInAt != ProducedRecord.NEVER,
        RuleNames.DRAINS,
        () -> garbage + " has not been taken in");
    ledger.check(
        garbage.parked >= 1,
        DelayRuleNames.PARKED,
        () -> garbage + " is neither published nor parked");
  }

  private void checkMessage(ProducedRecord message, ProducedRecord.Expected.Fires fires) {
    ledger.check(
        message.takenInAt != ProducedRecord.NEVER,
        RuleNames.DRAINS,
        () -> message + " has not been taken in");
    checkOutcome(message, fires);
    checkCopies(message);
    if (message.mustComeOut) {
      ledger.check(
          message.written + message.parked >= 1,
          DelayRuleNames.LINEARIZABLE,
          () -> message + " never came out though an amendment of it was too late");
    }
    if (message.submitted.atNanos() >= CALM_NANOS && !fires.isRefused()) {
      checkOnTime(message);
    }
  }

  private void checkOutcome(ProducedRecord message, ProducedRecord.Expected.Fires fires) {
    boolean out = fires.isRefused() ? message.parked >= 1 : message.written >= 1;
    if (message.isStored()) {
      ledger.check(
          dueNanos(message) > END_NANOS - LAST_MOMENT_NANOS,
          RuleNames.DRAINS,
          () ->
              message
                  + " is still stored, due "
                  + ledger.millis(message.dueMicros)
                  + ", held by "
                  + message.holder);
    } else if (message.storedAt != ProducedRecord.NEVER) {
      ledger.check(
          out || message.cancelled,
          DelayRuleNames.NO_LOSS,
          () -> message + " was removed from the store but never came out");
    } else if (!out) {
      ledger.check(
          wasDuplicate(message, fires),
          DelayRuleNames.NO_LOSS,
          () -> message + " was neither stored nor published nor a duplicate");
      ledger.reached(RareState.DUPLICATE_IGNORED);
    }
  }

  /** True when the message was a duplicate: its id was pending before the message was taken in. */
  private boolean wasDuplicate(ProducedRecord message, ProducedRecord.Expected.Fires fires) {
    return ledger.withId(message.submitted.route(), fires.id()).stream()
        .anyMatch(other ->
            other != message
                && other.wasStoredBetween(message.submitted.atNanos(), message.takenInAt));
  }

  private void checkCopies(ProducedRecord message) {
    int unknownAcks = 0;
    for (MessageSend send : message.sends) {
      boolean known = send.acknowledged && !send.unansweredWhenStored;
      if (send.isWritten() && !known && !send.toDeadLetters) {
        unknownAcks++;
      }
    }
    int allowed = 1 + unknownAcks + message.excuses;
    ledger.check(
        message.written <= allowed,
        DelayRuleNames.NO_CAUSELESS_COPY,
        () ->
            message
                + " came out "
                + message.written
                + " times; what happened excuses "
                + allowed
                + ": "
                + message.sends);
  }

  private void checkOnTime(ProducedRecord message) {
    long startNanos = Math.max(dueNanos(message), message.submitted.atNanos());
    if (message.cancelled || startNanos > END_NANOS - LAST_MOMENT_NANOS) {
      return;
    }
    for (MessageSend send : message.sends) {
      if (send.isWritten()) {
        long lateMicros = (send.writtenAtNanos - startNanos) / 1_000;
        ledger.check(
            lateMicros <= scenario.lateMicros(),
            RuleNames.ON_TIME,
            () -> message + " came out " + lateMicros + " us after it was due, without any fault");
        return;
      }
    }
  }

  private static long dueNanos(ProducedRecord message) {
    long micros = message.dueMicros - VirtualClock.EPOCH_MICROS;
    return Math.clamp(micros, Long.MIN_VALUE / 1_000, Long.MAX_VALUE / 1_000) * 1_000;
  }

  private void checkAmendment(AmendmentTrack track) {
    if (track.requestedAtNanos > END_NANOS - LAST_MOMENT_NANOS) {
      return;
    }
    AmendmentOutcome outcome = track.outcome;
    ledger.check(
        outcome != null, RuleNames.DRAINS, () -> track + " has not been decided by the end");
    long tookMicros = (track.decidedAt - track.requestedAtNanos) / 1_000;
    ledger.check(
        track.requestedAtNanos < CALM_NANOS || tookMicros <= scenario.decideMicros(),
        RuleNames.ON_TIME,
        () -> track + " was decided after " + tookMicros + " us, without any fault");
    ledger.check(
        track.told >= 1 || !track.isControlRecord(),
        DelayRuleNames.NO_LOSS,
        () -> track + " was decided as " + outcome + " and nobody was told");
  }
}
