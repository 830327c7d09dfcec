package io.kairos.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FireTimesTest {
  private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

  private static TimePattern pattern(String text) {
    return TimePattern.parse(text, CronSyntax.UNIX, "a schedule", NOW);
  }

  private static FireTimes times(String text) {
    return new TimeRule(pattern(text), RuleTerms.UTC).fireTimes(Map.of());
  }

  private static FireTimes bounded(String text, RuleBounds bounds) {
    RuleTerms terms = new RuleTerms(ScheduleClock.UTC, List.of(), bounds, RunSpread.NONE);
    return new TimeRule(pattern(text), terms).fireTimes(Map.of());
  }

  @Test
  void ph41_next_is_strictly_after_and_at_or_after_is_not() {
    FireTimes hourly = times("0 * * * *");

    assertThat(hourly.next(NOW)).hasValue(NOW.plusSeconds(3_600));
    assertThat(hourly.next(NOW.minusNanos(1))).hasValue(NOW);
    assertThat(hourly.next(NOW.plusNanos(1))).hasValue(NOW.plusSeconds(3_600));
    assertThat(hourly.atOrAfter(NOW)).hasValue(NOW);
    assertThat(hourly.atOrAfter(NOW.plusNanos(1))).hasValue(NOW.plusSeconds(3_600));
    assertThat(hourly.matches(NOW)).isTrue();
    assertThat(hourly.matches(NOW.plusNanos(1))).isFalse();
  }

  @Test
  void ph41_a_range_is_bounded_by_its_end_and_by_a_limit() {
    FireTimes hourly = times("0 * * * *");

    assertThat(hourly.between(NOW, NOW.plusSeconds(7_200), 9)).hasSize(2);
    assertThat(hourly.between(NOW, Instant.MAX, 5)).hasSize(5);
    assertThat(hourly.between(NOW, NOW, 5)).isEmpty();
  }

  @Test
  void the_fire_times_of_a_range_are_those_that_steps_find() {
    Instant to = NOW.plus(Duration.ofDays(400));
    CalendarName work = new CalendarName("work");
    WorkingCalendar open = WorkingCalendar.workdaysWithout(Set.of());
    for (String text : List.of("*/7 1-3 * * *", "30 2 * * *", "@every 5h", "0 0 29 2 *")) {
      for (ClockOverlap overlap : ClockOverlap.values()) {
        for (CalendarUse.Kind use : CalendarUse.Kind.values()) {
          RuleTerms terms =
              new RuleTerms(
                  new ScheduleClock(ZoneId.of("Europe/Berlin"), ClockGap.SKIP, overlap),
                  List.of(new CalendarUse(work, use)),
                  new RuleBounds(NOW.plusSeconds(90), null, null),
                  RunSpread.NONE);
          FireTimes times = new TimeRule(pattern(text), terms).fireTimes(Map.of(work, open));

          assertThat(times.fires(NOW, to))
              .toIterable()
              .containsExactlyElementsOf(times.between(NOW, to, Integer.MAX_VALUE));
        }
      }
    }
    assertThat(times("0 * * * *").fires(NOW.minusNanos(1), NOW)).toIterable().containsExactly(NOW);
    assertThat(times("0 * * * *").fires(NOW, NOW.plusSeconds(3_599))).isExhausted();
    assertThat(times("0 0 31 12 *").fires(Instant.parse("9999-01-01T00:00:00Z"), Instant.MAX))
        .toIterable()
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "* * * * *",
        "0 0 29 2 *",
        "0 0 L-30W * *",
        "0 0 0 29 2 1#5 *",
        "0 0 0 1 1 * 2199",
        "@every 3650d",
        "@at 2027-01-01T00:00:00Z"
      })
  void c4_next_is_total_from_the_beginning_of_time_to_its_end(String text) {
    for (ZoneId zone : List.of(ZoneId.of("UTC"), ZoneId.of("Europe/Berlin"), ZoneId.of("+18:00"))) {
      FireTimes times =
          new TimeRule(pattern(text), RuleTerms.in(ScheduleClock.in(zone))).fireTimes(Map.of());

      assertThat(times.next(Instant.MIN)).isPresent();
      assertThat(times.next(Instant.MAX)).isEmpty();
      assertThat(times.next(Instant.parse("9999-12-31T23:59:59Z"))).isEmpty();
    }
  }

  @Test
  void what_lies_in_the_past_is_over() {
    assertThat(times("0 0 0 1 1 * 2025").next(NOW)).isEmpty();
    assertThat(times("@at 2026-11-22T10:00:00Z").next(NOW)).isEmpty();
    assertThat(times("@at 2026-11-22T10:00:00Z").atOrAfter(NOW)).hasValue(NOW);
    assertThat(times("0 0 0 1 1 * 2025").occurrences(NOW).hasNext()).isFalse();
    assertThatThrownBy(() -> times("0 0 0 1 1 * 2025").occurrences(NOW).next())
        .isInstanceOf(NoSuchElementException.class);
  }

  @ParameterizedTest
  @CsvSource({"90s, 90", "1m30s, 90", "PT90S, 90", "1h, 3600", "1d, 86400", "2w, 1209600"})
  void a_fixed_rate_counts_from_its_anchor_forwards_and_backwards(String text, long seconds) {
    FireTimes times = times("@every " + text);

    assertThat(times.next(NOW)).hasValue(NOW.plusSeconds(seconds));
    assertThat(times.next(NOW.minusSeconds(1))).hasValue(NOW);
    assertThat(times.next(NOW.minusSeconds(seconds + 1))).hasValue(NOW.minusSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource({
    "@every, interval, 6",
    "@every 0s, interval, 7",
    "@every 1.5s, interval, 7",
    "@every PT0.5S, interval, 7",
    "@every 90, interval, 7",
    "@every 1y, interval, 7",
    "@every -5s, interval, 7",
    "@every 3651d, interval, 7",
    "@every 9999999999999999999d, interval, 7",
    "@at, instant, 3",
    "@at tomorrow, instant, 4",
    "@at 2027-01-01T00:00:00, instant, 4",
    "@at 2027-01-01T00:00:00.5Z, instant, 4",
    "@at +999999999-01-01T00:00:00Z, instant, 4",
    "@at   2027-02-30T00:00:00Z, instant, 6"
  })
  void intervals_and_instants_are_refused_like_fields(String text, String field, int offset) {
    RefusedExpressionException refused =
        catchThrowableOfType(RefusedExpressionException.class, () -> pattern(text));

    assertThat(refused.field()).isEqualTo(field);
    assertThat(refused.offset()).isEqualTo(offset);
  }

  @Test
  void nothing_fires_before_the_start_nor_at_the_end() {
    RuleBounds bounds = new RuleBounds(NOW.plusSeconds(1), NOW.plusSeconds(7_200), null);
    FireTimes times = bounded("0 * * * *", bounds);

    assertThat(times.next(Instant.EPOCH)).hasValue(NOW.plusSeconds(3_600));
    assertThat(times.next(NOW.plusSeconds(3_600))).isEmpty();
    assertThat(times.occurrences(Instant.EPOCH)).toIterable().hasSize(1);
    assertThat(bounded("0 * * * *", new RuleBounds(NOW, NOW.plusNanos(1), 3L)).next(Instant.EPOCH))
        .hasValue(NOW);
  }

  @Test
  void bounds_that_leave_nothing_are_refused() {
    assertThatThrownBy(() -> new RuleBounds(NOW, NOW, null)).hasMessageContaining("start");
    assertThatThrownBy(() -> new RuleBounds(null, null, 0L)).hasMessageContaining("max_runs");
  }

  @Test
  void a_fixed_delay_may_fire_at_any_second() {
    TimeRule rule = new TimeRule(new TimePattern.FixedDelay(Duration.ofMinutes(5)), RuleTerms.UTC);

    assertThat(rule.fireTimes(Map.of()).atOrAfter(NOW)).hasValue(NOW);
    assertThat(rule.fireTimes(Map.of()).next(NOW.plusMillis(1))).hasValue(NOW.plusSeconds(1));
    assertThat(rule.fireTimes(Map.of()).next(Instant.MAX)).isEmpty();
    assertThat(rule.describe()).isEqualTo("5 minutes after the end of the last run, UTC");
  }

  @Test
  void a_spread_is_the_same_on_every_node_and_stays_in_its_window() {
    RunSpread spread = new RunSpread(Duration.ofMinutes(10));

    assertThat(spread.dueAt("backup", NOW))
        .as("stored schedules rely on it")
        .isEqualTo(new RunSpread(Duration.ofMinutes(10)).dueAt("backup", NOW))
        .isBetween(NOW, NOW.plusSeconds(599));
    assertThat(spread.dueAt("backup", NOW)).isNotEqualTo(spread.dueAt("restore", NOW));
    assertThat(RunSpread.NONE.dueAt("backup", NOW)).isEqualTo(NOW);
    long[] halves = new long[2];
    for (int i = 0; i < 10_000; i++) {
      Duration later = Duration.between(NOW, spread.dueAt("schedule-" + i, NOW));
      halves[later.compareTo(Duration.ofMinutes(5)) < 0 ? 0 : 1]++;
    }
    assertThat(halves[0]).isBetween(4_700L, 5_300L);
    assertThatThrownBy(() -> new RunSpread(Duration.ofHours(25))).hasMessageContaining("24 hours");
  }

  @Test
  void a_rule_is_said_with_its_terms() {
    RuleTerms terms =
        new RuleTerms(
            ScheduleClock.in(ZoneId.of("Europe/Berlin")),
            List.of(),
            new RuleBounds(NOW, null, 10L),
            new RunSpread(Duration.ofMinutes(5)));

    assertThat(new TimeRule(pattern("30 2 * * *"), terms).describe())
        .isEqualTo(
            "at 02:30, every day, Europe/Berlin, from 2026-11-22T10:00:00Z, at most 10 times, each up to"
                + " PT5M later");
    assertThat(new TimeRule(pattern("@every 90m"), RuleTerms.UTC).describe())
        .isEqualTo("every 1 hour and 30 minutes, counted from 2026-11-22T10:00:00Z, UTC");
  }
}
