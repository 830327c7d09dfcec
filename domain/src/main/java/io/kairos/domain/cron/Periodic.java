package io.kairos.domain.cron;

import io.kairos.domain.schedule.FireTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Makes entries that act at times (CC-22). Their next times are in reserved pages, so that restarts
 * and snapshots keep them. They are due when the tick's time has reached the next time (CC-25), act
 * once however many times have passed since (CC-26), and never without agreed time (CC-23). How
 * often ticks come decides only how exactly an entry meets its time (CC-19).
 */
public final class Periodic {
  private static final Duration LONGEST = Duration.ofDays(3_650);

  private Periodic() {}

  /**
   * Acts at the first tick, and then one period after the tick at which it last did (CC-24, CC-26):
   * lateness adds up, as the reference's does.
   *
   * @param period whole milliseconds up to 3,650 days
   */
  public static CronEntry every(CronTable table, int position, Duration period, Action action) {
    long millis = periodMillis(period);
    Pace pace =
        new Pace() {
          @Override
          public OptionalLong first(long now) {
            return OptionalLong.of(now);
          }

          @Override
          public OptionalLong after(long now) {
            return OptionalLong.of(now + millis);
          }
        };
    return entry(table, position, pace, (tick, _) -> action.run(tick));
  }

  /**
   * Acts at an anchor and whole periods from it, before and after; lateness does not add up. Begins
   * with the first such time that is not before the first tick.
   *
   * @param period whole milliseconds up to 3,650 days
   */
  public static CronEntry atFixedRate(
      CronTable table, int position, Duration period, Instant anchor, FireAction action) {
    long millis = periodMillis(period);
    long phase = AgreedTime.at(anchor.toEpochMilli()).epochMillis();
    Pace pace =
        new Pace() {
          @Override
          public OptionalLong first(long now) {
            return OptionalLong.of(phase + Math.ceilDiv(now - phase, millis) * millis);
          }

          @Override
          public OptionalLong after(long now) {
            return OptionalLong.of(phase + (Math.floorDiv(now - phase, millis) + 1) * millis);
          }
        };
    return entry(table, position, pace, action);
  }

  /** Acts at the fire times of a rule, from the first that is not before the first tick. */
  public static CronEntry at(CronTable table, int position, FireTimes times, FireAction action) {
    Pace pace =
        new Pace() {
          @Override
          public OptionalLong first(long now) {
            return millis(times.atOrAfter(Instant.ofEpochMilli(now)));
          }

          @Override
          public OptionalLong after(long now) {
            return millis(times.next(Instant.ofEpochMilli(now)));
          }
        };
    return entry(table, position, pace, action);
  }

  /**
   * Acts at the time that it is told by {@link CronTable#tell}, and then not before it is told
   * another.
   */
  public static CronEntry whenTold(CronTable table, int position, FireAction action) {
    Pace pace =
        new Pace() {
          @Override
          public OptionalLong first(long now) {
            return OptionalLong.empty();
          }

          @Override
          public OptionalLong after(long now) {
            return OptionalLong.empty();
          }
        };
    return entry(table, position, pace, action);
  }

  private static OptionalLong millis(Optional<Instant> at) {
    return at.isPresent() ? OptionalLong.of(at.get().toEpochMilli()) : OptionalLong.empty();
  }

  /**
   * A period in milliseconds.
   *
   * @throws IllegalArgumentException unless it has whole milliseconds up to 3,650 days
   */
  public static long periodMillis(Duration period) {
    if (!period.isPositive()
        || period.compareTo(LONGEST) > 0
        || !period.equals(period.truncatedTo(ChronoUnit.MILLIS))) {
      throw new IllegalArgumentException(
          "a period has whole milliseconds from 1 ms to 3,650 days, not " + period);
    }
    return period.toMillis();
  }

  private static CronEntry entry(CronTable table, int position, Pace pace, FireAction action) {
    NextTimes nextTimes = table.nextTimes();
    Turn turn = new Turn(nextTimes, nextTimes.cell(position), pace, action);
    return new CronEntry(
        position,
        turn::isDue,
        turn::run,
        turn::schedule,
        (_, removed) -> nextTimes.forget(removed));
  }

  /** When an entry acts; in milliseconds since 1970, empty for never again. */
  private interface Pace {
    /** The first time, told at the first tick. */
    OptionalLong first(long now);

    /** The time after those up to now. */
    OptionalLong after(long now);
  }

  /** The functions of one entry. */
  private static final class Turn {
    private final NextTimes nextTimes;
    private final NextTimes.Cell cell;
    private final Pace pace;
    private final FireAction action;

    /** From schedule-next to the action that follows it in the same tick; no state. */
    private long firing;

    Turn(NextTimes nextTimes, NextTimes.Cell cell, Pace pace, FireAction action) {
      this.nextTimes = nextTimes;
      this.cell = cell;
      this.pace = pace;
      this.action = action;
    }

    boolean isDue(Tick tick) {
      if (!(tick.time() instanceof AgreedTime.At at)) {
        return false;
      }
      long now = at.epochMillis();
      if (!nextTimes.isKnown(cell)) {
        pace.first(now).ifPresent(first -> nextTimes.set(cell, first));
      }
      return nextTimes.isKnown(cell) && now >= nextTimes.millis(cell);
    }

    void schedule(Tick tick) {
      if (tick.time() instanceof AgreedTime.At at) {
        firing = nextTimes.millis(cell);
        OptionalLong next = pace.after(at.epochMillis());
        if (next.isPresent()) {
          nextTimes.set(cell, next.getAsLong());
        } else {
          nextTimes.clear(cell);
        }
      }
    }

    void run(Tick tick) {
      action.run(tick, Instant.ofEpochMilli(firing));
    }
  }
}
