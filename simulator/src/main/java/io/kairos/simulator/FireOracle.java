package io.kairos.simulator;

import io.kairos.domain.schedule.Gap;
import io.kairos.domain.schedule.Overlap;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.fire.CalendarText;
import io.kairos.domain.schedule.fire.Rule;
import io.kairos.domain.schedule.fire.Schedule;
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
 * What the rule of a schedule of the workload means at a second, counted out apart from all that
 * production does.
 */
final class FireOracle {
  private static final int HOUR = 3_600;
  private static final int DAY = 24 * HOUR;
  private static final long TODAY = SimClock.EPOCH_MICROS / 1_000_000 / DAY;

  private final Map<CalendarName, Hours> calendars = new HashMap<>();

  /** What a rule says of a second. */
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
   * What it says.
   *
   * @param version of the rules of {@link SimZone}
   */
  Said at(Schedule schedule, int version, long second) {
    Rule rule = schedule.definition().rule();
    if (!rule.zone().equals(SimZone.NAME)) {
      return names(schedule, second, second);
    }
    ZoneRules zone = SimZone.rules(version);
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
    return said == Said.FIRES && isAgain && rule.repeated() == Overlap.FIRST ? Said.LEFT_OUT : said;
  }

  /** What the clock leaves out comes when it has been put forward, or not at all. */
  private Said swallowed(Schedule schedule, ZoneOffsetTransition gap) {
    Said most = Said.NOTHING;
    long begin = gap.toEpochSecond() + gap.getOffsetBefore().getTotalSeconds();
    long end = gap.toEpochSecond() + gap.getOffsetAfter().getTotalSeconds();
    for (long local = begin; local < end; local++) {
      Said said = names(schedule, gap.toEpochSecond(), local);
      if (said == Said.FIRES && schedule.definition().rule().gap() == Gap.SKIP) {
        said = Said.LEFT_OUT;
      }
      most = said.compareTo(most) > 0 ? said : most;
    }
    return most;
  }

  private Said names(Schedule schedule, long second, long local) {
    Rule rule = schedule.definition().rule();
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
   * Of expressions that the workload makes: some seconds of each minute, at any hour or at four.
   */
  private static boolean isNamed(String[] fields, long local) {
    long second = Math.floorMod(local, 60);
    boolean ofMinute =
        fields[0].startsWith("*/")
            ? second % Integer.parseInt(fields[0].substring(2)) == 0
            : second == Integer.parseInt(fields[0]);
    return ofMinute && (fields[2].equals("*") || Math.floorMod(local, DAY) < 4 * HOUR);
  }

  private boolean isClosed(Rule rule, long local) {
    return rule.calendars().stream()
        .anyMatch(use ->
            Objects.requireNonNull(calendars.get(use.calendar())).isOpen(local)
                != (use.kind() == CalendarUse.Kind.ONLY_DURING));
  }
}
