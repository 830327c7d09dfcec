package io.kairos.bench.calendar;

import io.kairos.model.calendar.CalendarCheck;
import io.kairos.model.calendar.CronCase;
import io.kairos.model.calendar.RandomCron;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One zone: all its changes, and all its days. For one thread. */
final class ZoneRun {
  private static final int POLICIES = 4;
  private static final int RANDOM = 4;

  /** Midnight and the hours in which clocks are changed. */
  private static final int[][] DAILY = {{0, 0}, {0, 30}, {1, 30}, {2, 30}, {23, 30}};

  private final ZoneId zone;
  private final RandomCron expressions;
  private final List<String> wrong = new ArrayList<>();
  private long comparisons;

  ZoneRun(ZoneId zone, long seed) {
    this.zone = zone;
    this.expressions = new RandomCron(new SplittableRandom(seed + zone.hashCode()));
  }

  /** Counts of the checks, and their findings. */
  record Result(long changes, long comparisons, long days, List<String> findings) {}

  Result run() {
    List<Instant> changes = CalendarCheck.changes(zone);
    for (Instant change : changes) {
      CalendarCheck.Around around = new CalendarCheck.Around(zone, change);
      CronCase.FIXED.forEach(cron -> compare(around, cron));
      for (int i = 0; i < RANDOM; i++) {
        compare(around, expressions.next());
      }
    }
    List<LocalDate> days = CalendarCheck.days(zone);
    for (int[] time : DAILY) {
      CalendarCheck.daily(zone, days, time[0], time[1]).ifPresent(wrong::add);
    }
    return new Result(changes.size(), comparisons, (long) days.size() * DAILY.length, wrong);
  }

  private void compare(CalendarCheck.Around around, CronCase cron) {
    around.check(cron).ifPresent(wrong::add);
    comparisons += POLICIES;
  }
}
