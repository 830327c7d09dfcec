package io.kairos.domain.schedule.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.schedule.FireTimes;
import io.kairos.domain.schedule.Occurrence;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RuleTerms;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.ScheduleClock;
import io.kairos.domain.schedule.SkipReason;
import io.kairos.domain.schedule.TimePattern;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.cron.CronSyntax;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleCalendarsTest {
  private static final CalendarName OFFICE = new CalendarName("office");
  private static final CalendarName HOLIDAYS = new CalendarName("holidays");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Instant DECEMBER = Instant.parse("2026-12-01T00:00:00Z");

  private static final WorkingCalendar OPENING =
      new WorkingCalendar(
          Map.of(
              DayOfWeek.THURSDAY,
              new WorkingHours(
                  List.of(
                      new WorkingHours.Shift(LocalTime.of(9, 0), LocalTime.of(12, 0)),
                      new WorkingHours.Shift(LocalTime.of(13, 0), LocalTime.of(17, 0)))),
              DayOfWeek.FRIDAY,
              WorkingHours.of(LocalTime.of(9, 0), LocalTime.of(12, 0))),
          Set.of(LocalDate.of(2026, 12, 31)),
          Set.of(MonthDay.of(12, 25)),
          Map.of(
              LocalDate.of(2026, 12, 26),
              WorkingHours.of(LocalTime.of(10, 0), LocalTime.of(11, 0))));

  private static final Map<CalendarName, WorkingCalendar> KNOWN =
      Map.of(
          OFFICE,
          OPENING,
          HOLIDAYS,
          WorkingCalendar.ofDates(Set.of(LocalDate.of(2026, 12, 24), LocalDate.of(2026, 12, 31))));

  private static RuleTerms terms(CalendarUse... uses) {
    return new RuleTerms(ScheduleClock.in(BERLIN), List.of(uses), RuleBounds.NONE, RunSpread.NONE);
  }

  private static FireTimes times(String cron, RuleTerms terms) {
    TimePattern pattern = TimePattern.parse(cron, CronSyntax.UNIX, "", DECEMBER);
    return new TimeRule(pattern, terms).fireTimes(KNOWN);
  }

  private static List<String> local(FireTimes times, Instant from, int count) {
    return times.between(from, Instant.MAX, count).stream()
        .map(at -> at.atZone(BERLIN).toLocalDateTime().toString())
        .toList();
  }

  @Test
  void a_rule_fires_only_during_open_hours() {
    RuleTerms during = terms(new CalendarUse(OFFICE, CalendarUse.Kind.ONLY_DURING));

    assertThat(local(times("0 * * * *", during), Instant.parse("2026-12-23T23:00:00Z"), 9))
        .containsExactly(
            "2026-12-24T09:00",
            "2026-12-24T10:00",
            "2026-12-24T11:00",
            "2026-12-24T13:00",
            "2026-12-24T14:00",
            "2026-12-24T15:00",
            "2026-12-24T16:00",
            "2026-12-26T10:00",
            "2027-01-01T09:00");
  }

  @Test
  void a_rule_fires_outside_of_what_is_left_out() {
    RuleTerms except = terms(new CalendarUse(HOLIDAYS, CalendarUse.Kind.NOT_DURING));

    assertThat(local(times("0 9 * * THU", except), DECEMBER, 4))
        .containsExactly(
            "2026-12-03T09:00", "2026-12-10T09:00", "2026-12-17T09:00", "2027-01-07T09:00");
  }

  @Test
  void all_calendars_must_agree_and_fixed_rates_ask_them_as_well() {
    RuleTerms both =
        terms(
            new CalendarUse(OFFICE, CalendarUse.Kind.ONLY_DURING),
            new CalendarUse(HOLIDAYS, CalendarUse.Kind.NOT_DURING));

    assertThat(local(times("@every 2h", both), Instant.parse("2026-12-18T11:00:00Z"), 3))
        .as("24 December is left out, 25 and 31 are closed")
        .containsExactly("2027-01-01T09:00", "2027-01-01T11:00", "2027-01-07T09:00");
  }

  @Test
  void c2_every_time_that_is_left_out_is_told_with_the_calendar() {
    RuleTerms both =
        terms(
            new CalendarUse(OFFICE, CalendarUse.Kind.ONLY_DURING),
            new CalendarUse(HOLIDAYS, CalendarUse.Kind.NOT_DURING));
    List<String> told = new ArrayList<>();
    Iterator<Occurrence> all =
        times("0 9 * * *", both).occurrences(Instant.parse("2026-12-23T12:00:00Z"));
    for (int i = 0; i < 9; i++) {
      Occurrence next = all.next();
      told.add(
          next.local().toLocalDate()
              + (next instanceof Occurrence.Skipped(_, _, SkipReason.Excluded(var calendar))
                  ? " not by " + calendar
                  : " fires"));
    }

    assertThat(told)
        .containsExactly(
            "2026-12-24 not by holidays",
            "2026-12-25 not by office",
            "2026-12-26 not by office",
            "2026-12-27 not by office",
            "2026-12-28 not by office",
            "2026-12-29 not by office",
            "2026-12-30 not by office",
            "2026-12-31 not by office",
            "2027-01-01 fires");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 9 * * *", "@every 1d"})
  void nothing_is_looked_for_behind_the_end(String rule) {
    RuleTerms notOnHolidays = terms(new CalendarUse(HOLIDAYS, CalendarUse.Kind.NOT_DURING));
    Instant from = Instant.parse("2026-12-20T12:00:00Z");
    Instant to = Instant.parse("2026-12-22T12:00:00Z");

    Iterator<Occurrence> all = times(rule, notOnHolidays).occurrences(from, to);

    assertThat(all)
        .toIterable()
        .as("and none of the holidays")
        .hasSizeBetween(2, 3)
        .allMatch(Occurrence.Fire.class::isInstance);
  }

  @Test
  void w_means_the_working_days_of_the_calendar() {
    CalendarName bank = new CalendarName("bank");
    Map<CalendarName, WorkingCalendar> known =
        Map.of(
            bank,
            WorkingCalendar.workdaysWithout(
                Set.of(LocalDate.of(2026, 12, 31), LocalDate.of(2026, 12, 30))));
    TimePattern last = TimePattern.parse("0 9 LW * *", CronSyntax.UNIX, "", DECEMBER);
    RuleTerms terms = terms(new CalendarUse(bank, CalendarUse.Kind.WORKING_DAYS));

    assertThat(new TimeRule(last, terms).fireTimes(known).next(DECEMBER))
        .hasValue(Instant.parse("2026-12-29T08:00:00Z"));
    assertThat(new TimeRule(last, terms()).fireTimes(Map.of()).next(DECEMBER))
        .hasValue(Instant.parse("2026-12-31T08:00:00Z"));
  }

  @Test
  void a_fixed_delay_waits_for_open_hours() {
    TimeRule rule =
        new TimeRule(
            new TimePattern.FixedDelay(Duration.ofHours(1)),
            terms(new CalendarUse(OFFICE, CalendarUse.Kind.ONLY_DURING)));

    assertThat(rule.fireTimes(KNOWN).atOrAfter(Instant.parse("2026-12-24T11:30:00Z")))
        .as("11:30 is the lunch break until 13:00 in Berlin")
        .hasValue(Instant.parse("2026-12-24T12:00:00Z"));
  }

  @Test
  void a_calendar_that_is_never_open_is_given_up_and_not_searched_for_ever() {
    CalendarName never = new CalendarName("never");
    Map<CalendarName, WorkingCalendar> known =
        Map.of(never, new WorkingCalendar(Map.of(), Set.of(), Set.of(), Map.of()));
    RuleTerms terms = terms(new CalendarUse(never, CalendarUse.Kind.ONLY_DURING));
    for (String text : List.of("* * * * * *", "0 9 * * *", "@every 1s", "0 0 29 2 *")) {
      TimePattern pattern = TimePattern.parse(text, CronSyntax.UNIX, "", DECEMBER);
      assertThat(new TimeRule(pattern, terms).fireTimes(known).next(DECEMBER)).isEmpty();
    }
  }

  @Test
  void a_calendar_that_is_missing_is_named() {
    RuleTerms terms =
        terms(new CalendarUse(new CalendarName("bank"), CalendarUse.Kind.WORKING_DAYS));

    assertThat(terms.calendarNames()).containsExactly(new CalendarName("bank"));
    assertThatThrownBy(() -> times("0 9 LW * *", terms))
        .isInstanceOfSatisfying(
            UnknownCalendarException.class,
            unknown -> assertThat(unknown.calendar()).isEqualTo("bank"));
  }

  @Test
  void calendars_that_make_no_sense_are_refused() {
    assertThatThrownBy(() -> WorkingHours.of(LocalTime.of(12, 0), LocalTime.of(9, 0)))
        .hasMessageContaining("12:00 to 09:00");
    assertThatThrownBy(() ->
            new WorkingHours(
                List.of(
                    new WorkingHours.Shift(LocalTime.of(9, 0), LocalTime.of(12, 0)),
                    new WorkingHours.Shift(LocalTime.of(11, 0), LocalTime.of(13, 0)))))
        .hasMessageContaining("in order");
    assertThatThrownBy(() -> new CalendarName("no blanks")).hasMessageContaining("letters");
    CalendarUse working = new CalendarUse(OFFICE, CalendarUse.Kind.WORKING_DAYS);
    assertThatThrownBy(() -> terms(working, working)).hasMessageContaining("one calendar");
  }
}
