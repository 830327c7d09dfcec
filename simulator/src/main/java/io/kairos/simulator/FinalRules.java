package io.kairos.simulator;

import io.kairos.domain.delay.AmendmentOutcome;
import java.time.Duration;

/**
 * Judges the whole history when the world has been healed and has drained: nothing lost (D1), every
 * copy has a cause (D5), every amendment an outcome that came true (D10), all on time in the calm
 * at the end (D3).
 */
final class FinalRules {
  private static final long CALM_NANOS = Scenario.CALM_AT.toNanos();
  private static final long END_NANOS = Scenario.END_AT.toNanos();

  /** What comes due later than this before the end may still be on its way. */
  private static final long LAST_MOMENT_NANOS = Duration.ofSeconds(3).toNanos();

  private final Ledger ledger;
  private final Scenario scenario;

  FinalRules(Ledger ledger, Scenario scenario) {
    this.ledger = ledger;
    this.scenario = scenario;
  }

  void check() {
    for (Instance instance : ledger.instances()) {
      switch (instance.submitted.expected()) {
        case Instance.Expected.IsParked _ -> checkParked(instance);
        case Instance.Expected.Fires fires -> checkMessage(instance, fires);
      }
    }
    ledger.amendments().forEach(this::checkAmendment);
  }

  private void checkParked(Instance garbage) {
    ledger.check(
        garbage.takenInAt != Instance.NEVER,
        Rules.DRAINS,
        () -> garbage + " has not been taken in");
    ledger.check(
        garbage.parked >= 1, Rules.PARKED, () -> garbage + " is neither published nor parked");
  }

  private void checkMessage(Instance message, Instance.Expected.Fires fires) {
    ledger.check(
        message.takenInAt != Instance.NEVER,
        Rules.DRAINS,
        () -> message + " has not been taken in");
    checkOutcome(message, fires);
    checkCopies(message);
    if (message.mustComeOut) {
      ledger.check(
          message.written + message.parked >= 1,
          Rules.LINEARIZABLE,
          () -> message + " never came out though an amendment of it was too late");
    }
    if (message.submitted.atNanos() >= CALM_NANOS && !fires.isRefused()) {
      checkOnTime(message);
    }
  }

  private void checkOutcome(Instance message, Instance.Expected.Fires fires) {
    boolean out = fires.isRefused() ? message.parked >= 1 : message.written >= 1;
    if (message.isStored()) {
      ledger.check(
          dueNanos(message) > END_NANOS - LAST_MOMENT_NANOS,
          Rules.DRAINS,
          () ->
              message
                  + " is still stored, due "
                  + ledger.millis(message.dueMicros)
                  + ", held by "
                  + message.holder);
    } else if (message.storedAt != Instance.NEVER) {
      ledger.check(
          out || message.cancelled,
          Rules.NO_LOSS,
          () -> message + " was removed from the store but never came out");
    } else if (!out) {
      ledger.check(
          wasDuplicate(message, fires),
          Rules.NO_LOSS,
          () -> message + " was neither stored nor published nor a duplicate");
      ledger.reached(RareState.DUPLICATE_IGNORED);
    }
  }

  /** Ignoring it was right if at some moment before it was taken in its id was pending. */
  private boolean wasDuplicate(Instance message, Instance.Expected.Fires fires) {
    return ledger.withId(message.submitted.route(), fires.id()).stream()
        .anyMatch(other ->
            other != message
                && other.wasStoredBetween(message.submitted.atNanos(), message.takenInAt));
  }

  private void checkCopies(Instance message) {
    int unknownAcks = 0;
    for (Send send : message.sends) {
      boolean known = send.acknowledged && !send.unansweredWhenStored;
      if (send.isWritten() && !known && !send.toDeadLetters) {
        unknownAcks++;
      }
    }
    int allowed = 1 + unknownAcks + message.excuses;
    ledger.check(
        message.written <= allowed,
        Rules.NO_CAUSELESS_COPY,
        () ->
            message
                + " came out "
                + message.written
                + " times; what happened excuses "
                + allowed
                + ": "
                + message.sends);
  }

  private void checkOnTime(Instance message) {
    long startNanos = Math.max(dueNanos(message), message.submitted.atNanos());
    if (message.cancelled || startNanos > END_NANOS - LAST_MOMENT_NANOS) {
      return;
    }
    for (Send send : message.sends) {
      if (send.isWritten()) {
        long lateMicros = (send.writtenAtNanos - startNanos) / 1_000;
        ledger.check(
            lateMicros <= scenario.lateMicros(),
            Rules.ON_TIME,
            () -> message + " came out " + lateMicros + " us after it was due, without any fault");
        return;
      }
    }
  }

  private static long dueNanos(Instance message) {
    long micros = message.dueMicros - SimClock.EPOCH_MICROS;
    return Math.clamp(micros, Long.MIN_VALUE / 1_000, Long.MAX_VALUE / 1_000) * 1_000;
  }

  private void checkAmendment(AmendmentTrack track) {
    if (track.requestedAtNanos > END_NANOS - LAST_MOMENT_NANOS) {
      return;
    }
    AmendmentOutcome outcome = track.outcome;
    ledger.check(outcome != null, Rules.DRAINS, () -> track + " has not been decided by the end");
    long tookMicros = (track.decidedAt - track.requestedAtNanos) / 1_000;
    ledger.check(
        track.requestedAtNanos < CALM_NANOS || tookMicros <= scenario.decideMicros(),
        Rules.ON_TIME,
        () -> track + " was decided after " + tookMicros + " us, without any fault");
    ledger.check(
        track.told >= 1 || !track.isControlRecord(),
        Rules.NO_LOSS,
        () -> track + " was decided as " + outcome + " and nobody was told");
  }
}
