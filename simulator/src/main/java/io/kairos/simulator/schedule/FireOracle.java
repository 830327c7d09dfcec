package io.kairos.simulator.schedule;

import io.kairos.domain.schedule.ClockGap;
import io.kairos.domain.schedule.ClockOverlap;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.simulator.kernel.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Computes what the rule of a schedule of the workload means at a second, without any production
 * code.
 */
final class FireOracle {
  private static final int HOUR = 3_600;
  private static final int DAY = 24 * HOUR;
  private static final long TODAY = VirtualClock.EPOCH_MICROS / 1_000_000 / DAY;

  private final Map<CalendarName, Hours> calendars = new HashMap<>();

  /** The result of a rule at a second. */
  enum Said {
    NOTHING,
    LEFT_OUT,
    FIRES
  }

  /** When a calendar is open: each day or today only. */
  private record Hours(boolean daily, List<int[]> shifts) {
    static Hours of(CalendarText text) {
      String line = text.value().lines().findFirst().orElseThrow();
      List<int[]> shifts =
          List.of(line.split(" ", -1)).stream()
              .skip(2)
              .map(shift -> shift.split("-", -1))
              .map(ends -> new int[] {second(ends[0]), second(ends[1])})
              .toList();
      return new Hours(line.startsWith("week"), shifts);
    }

    private static int second(String time) {
      return LocalTime.parse(time).toSecondOfDay();
    }

    boolean isOpen(long local) {
      long second = Math.floorMod(local, DAY);
      return (daily || Math.floorDiv(local, DAY) == TODAY)
          && shifts.stream().anyMatch(one -> second >= one[0] && (second < one[1] || one[1] == 0));
    }
  }

  /** A calendar is another from now on. */
  void know(CalendarName name, CalendarText text) {
    calendars.put(name, Hours.of(text));
  }

  boolean isFireTime(Schedule schedule, int version, long second) {
    return at(schedule, version, second) == Said.FIRES;
  }

  /**
   * Evaluates the rule at a second.
   *
   * @param version of the rules of {@link SimulatedZone}
   */
  Said at(Schedule schedule, int version, long second) {
    ScheduleRule rule = schedule.definition().rule();
    if (!rule.zone().equals(SimulatedZone.NAME)) {
      return names(schedule, second, second);
    }
    ZoneRules zone = SimulatedZone.rules(version);
    Instant instant = Instant.ofEpochSecond(second);
    Said said = names(schedule, second, second + zone.getOffset(instant).getTotalSeconds());
    ZoneOffsetTransition change = zone.previousTransition(instant.plusSeconds(1));
    if (change == null) {
      return said;
    }
    long changedAt = change.toEpochSecond();
    if (change.isGap() && changedAt == second) {
      Said swallowed = swallowed(schedule, change);
      return said.compareTo(swallowed) > 0 ? said : swallowed;
    }
    boolean isAgain = change.isOverlap() && second < changedAt - change.getDuration().toSeconds();
    return said == Said.FIRES && isAgain && rule.repeated() == ClockOverlap.FIRST
        ? Said.LEFT_OUT
        : said;
  }

  /** Fire times in a gap of the clock come right after the gap, or not at all. */
  private Said swallowed(Schedule schedule, ZoneOffsetTransition gap) {
    Said most = Said.NOTHING;
    long begin = gap.toEpochSecond() + gap.getOffsetBefore().getTotalSeconds();
    long end = gap.toEpochSecond() + gap.getOffsetAfter().getTotalSeconds();
    for (long local = begin; local < end; local++) {
      Said said = names(schedule, gap.toEpochSecond(), local);
      if (said == Said.FIRES && schedule.definition().rule().gap() == ClockGap.SKIP) {
        said = Said.LEFT_OUT;
      }
      most = said.compareTo(most) > 0 ? said : most;
    }
    return most;
  }

  private Said names(Schedule schedule, long second, long local) {
    ScheduleRule rule = schedule.definition().rule();
    String text = rule.text();
    boolean isNamed =
        switch (rule.kind()) {
          case EVERY ->
              (second - schedule.createdAt().getEpochSecond()) % Duration.parse(text).toSeconds()
                  == 0;
          case CRON -> isNamed(text.split(" ", -1), local);
          case DELAY, AT, RRULE -> throw new IllegalStateException("no schedule of the workload");
        };
    return !isNamed ? Said.NOTHING : isClosed(rule, local) ? Said.LEFT_OUT : Said.FIRES;
  }

  /**
   * True when an expression of the workload names the second: some seconds of each minute, at any
   * hour or in the first four.
   */
  private static boolean isNamed(String[] fields, long local) {
    long second = Math.floorMod(local, 60);
    boolean ofMinute =
        fields[0].startsWith("*/")
            ? second % Integer.parseInt(fields[0].substring(2)) == 0
            : second == Integer.parseInt(fields[0]);
    return ofMinute && (fields[2].equals("*") || Math.floorMod(local, DAY) < 4 * HOUR);
  }

  private boolean isClosed(ScheduleRule rule, long local) {
    return rule.calendars().stream()
        .anyMatch(use ->
            Objects.requireNonNull(calendars.get(use.calendar())).isOpen(local)
                != (use.kind() == CalendarUse.Kind.ONLY_DURING));
  }
}
