package io.kairos.domain.schedule.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.schedule.ClockGap;
import io.kairos.domain.schedule.ClockOverlap;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.calendar.WorkingHours;
import io.kairos.domain.schedule.cron.CronDialect;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.ScheduleRule;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuleTimetableTest {
  private static final CalendarName OFFICE = new CalendarName("office");

  @Test
  void a_long_row_that_a_calendar_leaves_out_ends_where_it_fires_again() {
    Map<DayOfWeek, WorkingHours> week = new EnumMap<>(DayOfWeek.class);
    for (DayOfWeek day : DayOfWeek.values()) {
      week.put(day, WorkingHours.of(LocalTime.of(9, 0), LocalTime.of(17, 0)));
    }
    ScheduleRule everySecond =
        new ScheduleRule(
            ScheduleRule.Kind.EVERY,
            "PT1S",
            CronDialect.UNIX,
            DayMatch.EITHER,
            "UTC",
            ClockGap.RUN_ONCE_AFTER,
            ClockOverlap.FIRST,
            List.of(new CalendarUse(OFFICE, CalendarUse.Kind.ONLY_DURING)));
    Timetable timetable =
        new RuleTimetable(
            Schedules.definition(everySecond, FirePolicies.DEFAULT)
                .timeRule(Schedules.NAME, Schedules.CREATED),
            Map.of(OFFICE, new WorkingCalendar(week, Set.of(), Set.of(), Map.of())));

    List<Timetable.LeftOut> leftOut =
        timetable.leftOut(
            Instant.parse("2026-03-02T16:59:59Z"), Instant.parse("2026-03-03T12:00:00Z"), 1_000);

    assertThat(leftOut)
        .containsExactly(
            new Timetable.LeftOut(
                Instant.parse("2026-03-02T17:00:00Z"),
                Instant.parse("2026-03-03T08:59:59.999999Z"),
                SkipCause.CALENDAR));
  }

  private static final Instant MIDNIGHT = Instant.parse("2026-03-28T23:00:00Z");
  private static final Instant GAP = Instant.parse("2026-03-29T01:00:00Z");

  /** In the night in which Berlin has no time from two to three; open from a quarter past two. */
  private static Timetable inTheNightOfTheGap(String expression, ClockGap gap) {
    Map<DayOfWeek, WorkingHours> week =
        Map.of(DayOfWeek.SUNDAY, WorkingHours.of(LocalTime.of(2, 15), LocalTime.of(4, 0)));
    ScheduleRule rule =
        new ScheduleRule(
            ScheduleRule.Kind.CRON,
            expression,
            CronDialect.UNIX,
            DayMatch.EITHER,
            "Europe/Berlin",
            gap,
            ClockOverlap.FIRST,
            List.of(new CalendarUse(OFFICE, CalendarUse.Kind.ONLY_DURING)));
    return new RuleTimetable(
        Schedules.definition(rule, FirePolicies.DEFAULT)
            .timeRule(Schedules.NAME, Schedules.CREATED),
        Map.of(OFFICE, new WorkingCalendar(week, Set.of(), Set.of(), Map.of())));
  }

  @Test
  void a_row_ends_before_the_fire_time_of_what_a_gap_swallowed() {
    Timetable timetable = inTheNightOfTheGap("0,30 1-3 * * *", ClockGap.RUN_ONCE_AFTER);

    assertThat(timetable.next(MIDNIGHT)).as("02:30, which the clock leaves out").hasValue(GAP);
    assertThat(timetable.leftOut(MIDNIGHT, GAP, 1_000))
        .as("01:00 and 01:30, and 02:00 with the fire time")
        .containsExactly(
            new Timetable.LeftOut(
                Instant.parse("2026-03-29T00:00:00Z"), GAP.minusNanos(1_000), SkipCause.CALENDAR));
  }

  @Test
  void a_row_ends_before_the_fire_time_behind_a_gap_also_when_another_row_comes_between() {
    Timetable timetable = inTheNightOfTheGap("0,30 1-3 * * *", ClockGap.SKIP);

    assertThat(timetable.next(MIDNIGHT)).as("03:00; nothing makes up for 02:30").hasValue(GAP);
    assertThat(timetable.leftOut(MIDNIGHT, GAP, 1_000))
        .containsExactly(
            new Timetable.LeftOut(
                Instant.parse("2026-03-29T00:00:00Z"), GAP.minusNanos(1_000), SkipCause.CALENDAR),
            new Timetable.LeftOut(GAP, GAP, SkipCause.DST_GAP));
  }
}
