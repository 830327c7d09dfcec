package io.kairos.domain.schedule.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.schedule.Gap;
import io.kairos.domain.schedule.Overlap;
import io.kairos.domain.schedule.calendar.BusinessCalendar;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.calendar.WorkingHours;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.cron.Dialect;
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
    Rule everySecond =
        new Rule(
            Rule.Kind.EVERY,
            "PT1S",
            Dialect.UNIX,
            DayMatch.EITHER,
            "UTC",
            Gap.RUN_ONCE_AFTER,
            Overlap.FIRST,
            List.of(new CalendarUse(OFFICE, CalendarUse.Kind.ONLY_DURING)));
    Timetable timetable =
        new RuleTimetable(
            Schedules.definition(everySecond, Policies.DEFAULT)
                .timeRule(Schedules.NAME, Schedules.CREATED),
            Map.of(OFFICE, new BusinessCalendar(week, Set.of(), Set.of(), Map.of())));

    List<Timetable.LeftOut> leftOut =
        timetable.leftOut(
            Instant.parse("2026-03-02T16:59:59Z"), Instant.parse("2026-03-03T12:00:00Z"), 1_000);

    assertThat(leftOut)
        .containsExactly(
            new Timetable.LeftOut(
                Instant.parse("2026-03-02T17:00:00Z"),
                Instant.parse("2026-03-03T08:59:59.999999Z"),
                Reason.CALENDAR));
  }

  @Test
  void a_row_ends_before_the_fire_time_of_what_a_gap_swallowed() {
    Map<DayOfWeek, WorkingHours> week =
        Map.of(DayOfWeek.SUNDAY, WorkingHours.of(LocalTime.of(2, 15), LocalTime.of(4, 0)));
    Rule halfHours =
        new Rule(
            Rule.Kind.CRON,
            "0,30 1-3 * * *",
            Dialect.UNIX,
            DayMatch.EITHER,
            "Europe/Berlin",
            Gap.RUN_ONCE_AFTER,
            Overlap.FIRST,
            List.of(new CalendarUse(OFFICE, CalendarUse.Kind.ONLY_DURING)));
    Timetable timetable =
        new RuleTimetable(
            Schedules.definition(halfHours, Policies.DEFAULT)
                .timeRule(Schedules.NAME, Schedules.CREATED),
            Map.of(OFFICE, new BusinessCalendar(week, Set.of(), Set.of(), Map.of())));
    Instant midnight = Instant.parse("2026-03-28T23:00:00Z");
    Instant gap = Instant.parse("2026-03-29T01:00:00Z");

    assertThat(timetable.next(midnight)).as("02:30, which the clock leaves out").hasValue(gap);
    assertThat(timetable.leftOut(midnight, gap, 1_000))
        .as("01:00 and 01:30, and 02:00 with the fire time")
        .containsExactly(
            new Timetable.LeftOut(
                Instant.parse("2026-03-29T00:00:00Z"), gap.minusNanos(1_000), Reason.CALENDAR));
  }
}
