package io.kairos.bench.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * The plan of schedules and their fire times. Rounds follow each other, a second or a minute apart;
 * the schedules take turns, so that equally many are due in each round. The plan is computed
 * without Kairos, so that it can judge Kairos.
 *
 * @param dueAtOnce number of schedules that are due in one round
 * @param period rounds from one turn of a schedule to its next; divides 60
 * @param first number of the first round, counted in units since the epoch
 */
public record FirePlan(int dueAtOnce, int period, Unit unit, long first) {
  private static final int MOST_IN_A_FIELD = 60;
  private static final long MICROS_PER_SECOND = 1_000_000;

  /** The period between rounds: one field of a cron expression. */
  public enum Unit {
    SECOND(1, " * * * * *"),
    MINUTE(60, " * * * *");

    private final int seconds;
    private final String otherFields;

    Unit(int seconds, String otherFields) {
      this.seconds = seconds;
      this.otherFields = otherFields;
    }

    long micros() {
      return seconds * MICROS_PER_SECOND;
    }

    Duration length() {
      return Duration.ofSeconds(seconds);
    }
  }

  /** Throws {@link IllegalArgumentException} for what no cron expression can say. */
  public FirePlan {
    if (dueAtOnce < 1 || period < 1 || MOST_IN_A_FIELD % period != 0) {
      throw new IllegalArgumentException(
          "of so many schedules 1/1, 1/2, 1/3, 1/4, 1/5, 1/6, 1/10, 1/12, 1/15, 1/20, 1/30 or 1/60 can be due at once");
    }
  }

  /** A plan whose first round comes after an instant. */
  public static FirePlan after(Instant earliest, int dueAtOnce, int period, Unit unit) {
    return new FirePlan(
        dueAtOnce, period, unit, Math.floorDiv(earliest.getEpochSecond(), unit.seconds) + 1);
  }

  /** Number of schedules. */
  public int schedules() {
    return dueAtOnce * period;
  }

  /** The cron expression of a schedule, in UTC. */
  public String expression(int sequence) {
    String turn = Integer.toString(sequence % period);
    // A step is less than the field has values.
    return (period < MOST_IN_A_FIELD ? turn + "-59/" + period : turn) + unit.otherFields;
  }

  /** The fire time of a round, counted from 0. */
  public Instant at(int round) {
    return Instant.ofEpochSecond((first + round) * unit.seconds);
  }

  /** Fire time of a round, in microseconds since the epoch. */
  public long atMicros(int round) {
    return (first + round) * unit.micros();
  }

  /** The round in which an instant lies, or in which it would lie; negative before the first. */
  public int roundOf(long micros) {
    return Math.toIntExact(Math.floorDiv(micros, unit.micros()) - first);
  }

  /** Fire times in so many rounds. */
  public int fires(int rounds) {
    return Math.multiplyExact(dueAtOnce, rounds);
  }

  /**
   * Numbers the fire times of all schedules from 0 on, without gaps, round after round.
   *
   * @return empty when the schedule does not fire then
   */
  public OptionalLong index(long sequence, long fireMicros) {
    long number = Math.floorDiv(fireMicros, unit.micros());
    boolean fires =
        fireMicros % unit.micros() == 0
            && number >= first
            && sequence >= 0
            && sequence < schedules()
            && number % period == sequence % period;
    return fires
        ? OptionalLong.of((number - first) * dueAtOnce + sequence / period)
        : OptionalLong.empty();
  }

  /** The latest of some rounds, of those that there are. */
  static double latestMillis(long[] microsByRound, int fromRound, int toRound) {
    long latest = 0;
    for (int round = Math.max(0, fromRound);
        round <= Math.min(toRound, microsByRound.length - 1);
        round++) {
      latest = Math.max(latest, microsByRound[round]);
    }
    return latest / 1e3;
  }
}
