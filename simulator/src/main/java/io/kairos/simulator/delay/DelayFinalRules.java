package io.kairos.simulator.delay;

import static io.kairos.simulator.delay.DelayRuleNames.LINEARIZABLE;
import static io.kairos.simulator.delay.DelayRuleNames.NO_CAUSELESS_COPY;
import static io.kairos.simulator.delay.DelayRuleNames.NO_LOSS;
import static io.kairos.simulator.delay.DelayRuleNames.PARKED;
import static io.kairos.simulator.delay.ProducedRecord.NEVER;
import static io.kairos.simulator.kernel.RareState.DUPLICATE_IGNORED;
import static io.kairos.simulator.kernel.RuleNames.DRAINS;
import static io.kairos.simulator.kernel.RuleNames.ON_TIME;

import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.simulator.kernel.ClusterScenario;
import io.kairos.simulator.kernel.VirtualClock;
import java.time.Duration;

/**
 * Judges the whole history after the cluster was healed and has drained: no message was lost, every
 * copy has a cause (CH-34, TW-L3), every amendment has an outcome that came true, and every message
 * was on time at the end.
 */
record DelayFinalRules(DelayHistory ledger, ClusterScenario scenario) {
  private static final long CALM_NANOS = ClusterScenario.CALM_AT.toNanos();
  private static final long END_NANOS = ClusterScenario.END_AT.toNanos();

  /** Messages that come due this close to the end may still be on their way. */
  private static final long LAST_MOMENT_NANOS = Duration.ofSeconds(3).toNanos();

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
    ledger.check(garbage.takenInAt != NEVER, DRAINS, () -> garbage + " has not been taken in");
    ledger.check(garbage.parked >= 1, PARKED, () -> garbage + " is neither published nor parked");
  }

  private void checkMessage(ProducedRecord message, ProducedRecord.Expected.Fires fires) {
    ledger.check(message.takenInAt != NEVER, DRAINS, () -> message + " has not been taken in");
    checkOutcome(message, fires);
    checkCopies(message);
    if (message.mustComeOut) {
      ledger.check(
          message.written + message.parked >= 1,
          LINEARIZABLE,
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
          DRAINS,
          () ->
              "%s is still stored, due %s, held by %s"
                  .formatted(message, ledger.millis(message.dueMicros), message.holder));
    } else if (message.storedAt != NEVER) {
      ledger.check(
          out || message.cancelled,
          NO_LOSS,
          () -> message + " was removed from the store but never came out");
    } else if (!out) {
      ledger.check(
          wasDuplicate(message, fires),
          NO_LOSS,
          () -> message + " was neither stored nor published nor a duplicate");
      ledger.reached(DUPLICATE_IGNORED);
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
        NO_CAUSELESS_COPY,
        () ->
            "%s came out %s times; what happened excuses %s: %s"
                .formatted(message, message.written, allowed, message.sends));
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
            ON_TIME,
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
    ledger.check(outcome != null, DRAINS, () -> track + " has not been decided by the end");
    long tookMicros = (track.decidedAt - track.requestedAtNanos) / 1_000;
    ledger.check(
        track.requestedAtNanos < CALM_NANOS || tookMicros <= scenario.decideMicros(),
        ON_TIME,
        () -> track + " was decided after " + tookMicros + " us, without any fault");
    ledger.check(
        track.told >= 1 || !track.isControlRecord(),
        NO_LOSS,
        () -> track + " was decided as " + outcome + " and nobody was told");
  }
}
