package io.kairos.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.schedule.cron.CronSyntax;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the changes of the wall clock do: named cases. The oracle in model has the others. */
class DaylightSavingTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  /** In Berlin the clock goes from 02:00 to 03:00 at 01:00 UTC. */
  private static final Instant SPRING = Instant.parse("2026-03-29T00:00:00Z");

  /** In Berlin the clock goes from 03:00 to 02:00 at 01:00 UTC. */
  private static final Instant AUTUMN = Instant.parse("2026-10-24T23:00:00Z");

  private static FireTimes times(String cron, ScheduleClock clock) {
    TimePattern pattern = TimePattern.parse(cron, CronSyntax.UNIX, "", SPRING);
    return new TimeRule(pattern, RuleTerms.in(clock)).fireTimes(Map.of());
  }

  /** What happens in the four hours after a moment. */
  private static List<String> told(String cron, ScheduleClock clock, Instant from) {
    List<String> told = new ArrayList<>();
    Iterator<Occurrence> all = times(cron, clock).occurrences(from);
    while (all.hasNext()) {
      Occurrence next = all.next();
      if (next.at().isAfter(from.plus(Duration.ofHours(4)))) {
        break;
      }
      String what =
          next instanceof Occurrence.Skipped skipped ? skipped.reason().toString() : "fire";
      told.add(
          next.at().toString().substring(11, 16) + " " + what + " " + next.local().toLocalTime());
    }
    return told;
  }

  @Test
  void a_time_in_the_gap_runs_once_after_it() {
    ScheduleClock clock = ScheduleClock.in(BERLIN);

    assertThat(told("30 2 * * *", clock, SPRING)).containsExactly("01:00 fire 02:30");
    assertThat(told("15,30,45 2 * * *", clock, SPRING)).containsExactly("01:00 fire 02:15");
    assertThat(told("0 2,3 * * *", clock, SPRING)).containsExactly("01:00 fire 02:00");
    assertThat(told("30 2,3 * * *", clock, SPRING))
        .containsExactly("01:00 fire 02:30", "01:30 fire 03:30");
  }

  @Test
  void a_time_in_the_gap_is_skipped_on_request_and_told() {
    ScheduleClock clock = new ScheduleClock(BERLIN, ClockGap.SKIP, ClockOverlap.FIRST);

    assertThat(told("15,30 2 * * *", clock, SPRING))
        .containsExactly("01:00 ClockPutForward[] 02:15");
    assertThat(told("0 2,3 * * *", clock, SPRING))
        .containsExactly("01:00 ClockPutForward[] 02:00", "01:00 fire 03:00");
  }

  @Test
  void a_repeated_time_fires_the_first_time_and_the_second_is_told() {
    assertThat(told("30 2 * * *", ScheduleClock.in(BERLIN), AUTUMN))
        .containsExactly("00:30 fire 02:30", "01:30 ClockPutBack[] 02:30");
  }

  @Test
  void a_repeated_time_fires_both_times_on_request() {
    assertThat(
            told("30 2 * * *", new ScheduleClock(BERLIN, ClockGap.SKIP, ClockOverlap.BOTH), AUTUMN))
        .containsExactly("00:30 fire 02:30", "01:30 fire 02:30");
  }

  @Test
  void intervals_keep_their_spacing_whatever_the_policy() {
    for (ClockGap gap : ClockGap.values()) {
      for (ClockOverlap overlap : ClockOverlap.values()) {
        ScheduleClock clock = new ScheduleClock(BERLIN, gap, overlap);
        List<Instant> fires =
            times("*/15 * * * *", clock).between(SPRING, SPRING.plus(Duration.ofHours(4)), 100);
        assertThat(fires).hasSize(16);
        assertThat(times("*/15 * * * *", clock).between(AUTUMN, AUTUMN.plusSeconds(14_400), 100))
            .hasSize(16);
        assertThat(told("*/30 2 * * *", clock, AUTUMN))
            .hasSize(4)
            .allMatch(t -> t.contains("fire"));
      }
    }
  }

  @Test
  void fixed_rates_do_not_know_the_zone() {
    assertThat(told("@every 1h", ScheduleClock.in(BERLIN), SPRING))
        .containsExactly(
            "01:00 fire 03:00", "02:00 fire 04:00", "03:00 fire 05:00", "04:00 fire 06:00");
  }

  /** spring-framework 36859: in Cairo the gap is at midnight, and a whole day was lost. */
  @ParameterizedTest
  @CsvSource({"0 0 * * *", "30 0 * * *", "*/30 0 * * *", "* 0 * * *", "@daily"})
  void c4_a_gap_at_midnight_loses_no_day(String cron) {
    FireTimes times = times(cron, ScheduleClock.in(ZoneId.of("Africa/Cairo")));

    assertThat(times.next(Instant.parse("2026-04-23T21:59:59Z")))
        .hasValue(Instant.parse("2026-04-23T22:00:00Z"));
  }

  @Test
  void c4_a_gap_that_ends_at_midnight_runs_the_last_hour_of_the_day_before() {
    FireTimes times = times("30 23 * * *", ScheduleClock.in(ZoneId.of("America/Nuuk")));

    assertThat(
            times.between(
                Instant.parse("2026-03-28T03:00:00Z"), Instant.parse("2026-03-30T03:00:00Z"), 9))
        .containsExactly(
            Instant.parse("2026-03-29T01:00:00Z"), Instant.parse("2026-03-30T00:30:00Z"));
  }

  @Test
  void c4_a_day_that_does_not_exist_is_not_made_up_but_told() {
    FireTimes times = times("0 9 * * *", ScheduleClock.in(ZoneId.of("Pacific/Apia")));
    Iterator<Occurrence> all = times.occurrences(Instant.parse("2011-12-29T00:00:00Z"));

    assertThat(all.next().local()).hasToString("2011-12-29T09:00");
    assertThat(all.next())
        .isInstanceOfSatisfying(
            Occurrence.Skipped.class,
            skipped -> {
              assertThat(skipped.local()).hasToString("2011-12-30T09:00");
              assertThat(skipped.reason()).isEqualTo(new SkipReason.ClockPutForward());
            });
    assertThat(all.next().local()).hasToString("2011-12-31T09:00");
  }

  @Test
  void an_hourly_rule_fires_every_hour_of_a_day_of_25() {
    List<Instant> fires =
        times("30 * * * *", ScheduleClock.in(BERLIN))
            .between(AUTUMN, AUTUMN.plusSeconds(4 * 3_600), 9);

    assertThat(fires)
        .containsExactly(
            AUTUMN.plusSeconds(1_800),
            AUTUMN.plusSeconds(5_400),
            AUTUMN.plusSeconds(9_000),
            AUTUMN.plusSeconds(12_600));
  }
}
