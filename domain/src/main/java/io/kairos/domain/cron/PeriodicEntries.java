package io.kairos.domain.cron;

import static io.kairos.domain.check.ArgumentCheck.isWholeMillis;
import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.schedule.FireTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/**
 * Makes entries that act at times. Their next times are in reserved pages, so that restarts and
 * snapshots keep them. An entry is due when the tick's time has reached its next time. It acts
 * once, however many times have passed since, and never without agreed time. The frequency of ticks
 * only decides how exactly an entry meets its time.
 */
public final class PeriodicEntries {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(3_650);

  private PeriodicEntries() {}

  /**
   * Makes an entry that acts at the first tick, and then one period after the tick of its last
   * action. Lateness adds up.
   *
   * @param period whole milliseconds up to 3,650 days
   */
  public static CronEntry every(CronTable table, int position, Duration period, CronAction action) {
    long millis = periodMillis(period);
    Pace pace = new Pace(OptionalLong::of, now -> OptionalLong.of(now + millis));
    return entry(table, position, pace, (tick, _) -> action.run(tick));
  }

  /**
   * Makes an entry that acts at an anchor and at whole periods from it, before and after. Lateness
   * does not add up. The entry begins with the first such time that is not before the first tick.
   *
   * @param period whole milliseconds up to 3,650 days
   */
  public static CronEntry atFixedRate(
      CronTable table, int position, Duration period, Instant anchor, FireAction action) {
    long millis = periodMillis(period);
    long phase = AgreedTime.at(anchor.toEpochMilli()).epochMillis();
    Pace pace =
        new Pace(
            now -> OptionalLong.of(phase + Math.ceilDiv(now - phase, millis) * millis),
            now -> OptionalLong.of(phase + (Math.floorDiv(now - phase, millis) + 1) * millis));
    return entry(table, position, pace, action);
  }

  /**
   * Makes an entry that acts at the fire times of a rule, from the first one that is not before the
   * first tick.
   */
  public static CronEntry at(CronTable table, int position, FireTimes times, FireAction action) {
    Pace pace =
        new Pace(
            now -> millis(times.atOrAfter(Instant.ofEpochMilli(now))),
            now -> millis(times.next(Instant.ofEpochMilli(now))));
    return entry(table, position, pace, action);
  }

  /**
   * Makes an entry that acts at the time that {@link CronTable#tell} sets, and then not before
   * another time is set.
   */
  public static CronEntry whenTold(CronTable table, int position, FireAction action) {
    Pace pace = new Pace(_ -> OptionalLong.empty(), _ -> OptionalLong.empty());
    return entry(table, position, pace, action);
  }

  private static OptionalLong millis(Optional<Instant> at) {
    return at.isPresent() ? OptionalLong.of(at.get().toEpochMilli()) : OptionalLong.empty();
  }

  /**
   * Returns a period in milliseconds.
   *
   * @throws IllegalArgumentException unless it has whole milliseconds up to 3,650 days
   */
  public static long periodMillis(Duration period) {
    require(
        isWholeMillis(period, SHORTEST, LONGEST),
        "a period has whole milliseconds from 1 ms to 3,650 days, not ",
        period);
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

  /**
   * The times at which an entry acts, in milliseconds since 1970; empty for never again.
   *
   * @param first gives the first time for the time of the first tick
   * @param after gives the first time after the present one
   */
  private record Pace(LongFunction<OptionalLong> first, LongFunction<OptionalLong> after) {}

  /** The functions of one entry. */
  private static final class Turn {
    private final NextTimes nextTimes;
    private final NextTimes.Cell cell;
    private final Pace pace;
    private final FireAction action;

    /**
     * The fire time, from noting the next time to the action in the same tick; not part of the
     * state.
     */
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
        pace.first.apply(now).ifPresent(first -> nextTimes.set(cell, first));
      }
      return nextTimes.isKnown(cell) && now >= nextTimes.millis(cell);
    }

    void schedule(Tick tick) {
      if (tick.time() instanceof AgreedTime.At at) {
        firing = nextTimes.millis(cell);
        OptionalLong next = pace.after.apply(at.epochMillis());
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
