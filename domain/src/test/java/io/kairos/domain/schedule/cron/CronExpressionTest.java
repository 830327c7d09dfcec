package io.kairos.domain.schedule.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.schedule.local.LocalRule;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronExpressionTest {
  private static final CronSyntax BOTH = new CronSyntax(CronDialect.UNIX, DayMatch.BOTH);

  private static CronExpression unix(String text) {
    return CronExpression.parse(text, CronSyntax.UNIX, "a schedule");
  }

  private static CronExpression quartz(String text) {
    return CronExpression.parse(text, CronSyntax.QUARTZ, "a schedule");
  }

  /** The first so many local times from a moment on, as text. */
  private static List<String> from(CronExpression expression, String moment, int count) {
    List<String> times = new ArrayList<>();
    long second = LocalDateTime.parse(moment).toEpochSecond(ZoneOffset.UTC);
    while (times.size() < count) {
      second = expression.rule().nextAtOrAfter(second);
      if (second == LocalRule.NEVER) {
        return times;
      }
      times.add(LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC).toString());
      second++;
    }
    return times;
  }

  @ParameterizedTest
  @CsvSource({
    "0 0 * * 1, 2026-11-22T00:00, 2026-11-29T00:00",
    "0 0 * * SUN, 2026-11-22T00:00, 2026-11-29T00:00",
    "0 0 * * 7, 2026-11-28T00:00, 2026-12-05T00:00",
    "0 0 * * L, 2026-11-28T00:00, 2026-12-05T00:00"
  })
  void ph37_quartz_counts_days_from_sunday_as_1(String text, String first, String second) {
    assertThat(from(quartz(text), "2026-11-22T00:00", 2)).containsExactly(first, second);
  }

  @ParameterizedTest
  @CsvSource({
    "0 0 * * 0, 2026-11-22T00:00",
    "0 0 * * 7, 2026-11-22T00:00",
    "0 0 * * sun, 2026-11-22T00:00",
    "0 0 * * 1, 2026-11-23T00:00",
    "0 0 * * 5-7, 2026-11-22T00:00",
    "0 0 * * 7-1, 2026-11-22T00:00"
  })
  void unix_counts_days_from_sunday_as_0_and_7(String text, String first) {
    assertThat(from(unix(text), "2026-11-22T00:00", 1)).containsExactly(first);
  }

  @Test // PH-L4
  void ph37_five_fields_have_no_seconds_and_six_begin_with_them_and_seven_end_with_years() {
    assertThat(from(unix("30 9 * * *"), "2026-01-01T00:00", 1)).containsExactly("2026-01-01T09:30");
    assertThat(from(unix("15 30 9 * * *"), "2026-01-01T00:00", 1))
        .containsExactly("2026-01-01T09:30:15");
    assertThat(from(unix("0 30 9 1 1 * 2030,2028"), "2026-01-01T00:00", 3))
        .containsExactly("2028-01-01T09:30", "2030-01-01T09:30");
  }

  @Test
  void ph38_ranges_wrap() {
    assertThat(from(unix("0 20-4/2 * * *"), "2026-01-01T12:00", 6))
        .containsExactly(
            "2026-01-01T20:00",
            "2026-01-01T22:00",
            "2026-01-02T00:00",
            "2026-01-02T02:00",
            "2026-01-02T04:00",
            "2026-01-02T20:00");
    assertThat(from(unix("59-0 0 1 1 *"), "2026-01-01T00:00", 2))
        .containsExactly("2026-01-01T00:00", "2026-01-01T00:59");
    assertThat(from(unix("0 0 1 12-1 *"), "2026-01-02T00:00", 2))
        .containsExactly("2026-12-01T00:00", "2027-01-01T00:00");
    assertThat(from(unix("0 0 * * SAT-SUN"), "2026-11-20T00:00", 2))
        .containsExactly("2026-11-21T00:00", "2026-11-22T00:00");
  }

  @ParameterizedTest
  @CsvSource({
    "0 0 L * *, 2026-02-01T00:00, 2026-02-28T00:00",
    "0 0 L * *, 2028-02-01T00:00, 2028-02-29T00:00",
    "0 0 L-2 * *, 2026-02-01T00:00, 2026-02-26T00:00",
    "0 0 L-30 * *, 2026-02-01T00:00, 2026-03-01T00:00",
    "0 0 LW * *, 2026-01-01T00:00, 2026-01-30T00:00",
    "0 0 L-3W * *, 2026-02-01T00:00, 2026-02-25T00:00",
    "0 0 1W * *, 2026-08-01T00:00, 2026-08-03T00:00",
    "0 0 15W * *, 2026-08-01T00:00, 2026-08-14T00:00",
    "0 0 31W * *, 2026-04-01T00:00, 2026-05-29T00:00",
    "0 0 * * 5L, 2026-11-01T00:00, 2026-11-27T00:00",
    "0 0 * * FRIL, 2026-11-01T00:00, 2026-11-27T00:00",
    "0 0 * * FRI#5, 2026-11-01T00:00, 2027-01-29T00:00",
    "0 0 * * 1#1, 2026-11-03T00:00, 2026-12-07T00:00"
  })
  void ph39_last_nearest_and_nth_days(String text, String moment, String first) {
    assertThat(from(unix(text), moment, 1)).containsExactly(first);
  }

  @Test
  void ph40_of_two_restricted_day_fields_either_matches() {
    assertThat(from(unix("0 0 13 * FRI"), "2026-11-01T00:00", 3))
        .containsExactly("2026-11-06T00:00", "2026-11-13T00:00", "2026-11-20T00:00");
    assertThat(from(quartz("0 0 1 * 2"), "2026-11-01T00:00", 3))
        .containsExactly("2026-11-01T00:00", "2026-11-02T00:00", "2026-11-09T00:00");
  }

  @Test
  void ph40_both_must_match_on_request_and_where_one_has_a_star() {
    assertThat(from(CronExpression.parse("0 0 13 * FRI", BOTH, ""), "2026-11-01T00:00", 2))
        .containsExactly("2026-11-13T00:00", "2027-08-13T00:00");
    assertThat(from(unix("0 0 */2 * MON"), "2026-11-01T00:00", 2))
        .containsExactly("2026-11-09T00:00", "2026-11-23T00:00");
    assertThat(from(unix("0 0 13 * ?"), "2026-11-01T00:00", 1)).containsExactly("2026-11-13T00:00");
  }

  @ParameterizedTest
  @CsvSource({
    "@hourly, 2026-11-22T11:00",
    "@daily, 2026-11-23T00:00",
    "@midnight, 2026-11-23T00:00",
    "@Weekly, 2026-11-29T00:00",
    "@monthly, 2026-12-01T00:00",
    "@yearly, 2027-01-01T00:00",
    "@annually, 2027-01-01T00:00"
  })
  void macros(String text, String first) {
    assertThat(from(unix(text), "2026-11-22T10:30", 1)).containsExactly(first);
    assertThat(from(quartz(text), "2026-11-22T10:30", 1)).containsExactly(first);
  }

  @Test
  void ph41_29_february_comes_and_whatever_never_comes_is_refused() {
    assertThat(from(unix("0 0 29 2 *"), "2097-01-01T00:00", 1)).containsExactly("2104-02-29T00:00");
    assertThat(from(CronExpression.parse("0 0 29 2 MON", BOTH, ""), "2026-01-01T00:00", 2))
        .containsExactly("2044-02-29T00:00", "2072-02-29T00:00");
    assertThatThrownBy(() -> unix("0 0 31 11 *")).hasMessageContaining("November");
  }

  @Test
  void ph41_a_time_matches_or_not() {
    CronExpression expression = unix("*/15 9-17 * * MON-FRI");

    assertThat(expression.matches(LocalDateTime.parse("2026-11-23T09:15:00.5"))).isTrue();
    assertThat(expression.matches(LocalDateTime.parse("2026-11-23T09:15:01"))).isFalse();
    assertThat(expression.matches(LocalDateTime.parse("2026-11-22T09:15:00"))).isFalse();
  }

  @Test
  void h_depends_on_the_name_alone_and_stays_in_its_bounds() {
    assertThat(CronExpression.parse("H H * * *", CronSyntax.UNIX, "backup").describe())
        .as("stored schedules rely on it")
        .isEqualTo("at 07:36, every day");
    for (int i = 0; i < 200; i++) {
      String name = "schedule " + i;
      CronExpression hashed =
          CronExpression.parse("H(10-19) 22~23 H H(3-4) ~", CronSyntax.UNIX, name);
      LocalDateTime first = LocalDateTime.parse(from(hashed, "2026-01-01T00:00", 1).getFirst());
      assertThat(first.getMinute()).isBetween(10, 19);
      assertThat(first.getHour()).isBetween(22, 23);
      assertThat(first.getMonthValue()).isBetween(3, 4);
    }
  }

  @Test
  void h_spreads_names_evenly() {
    int[] perMinute = new int[60];
    for (int i = 0; i < 12_000; i++) {
      CronExpression hashed = CronExpression.parse("H * * * *", CronSyntax.UNIX, "nightly-" + i);
      perMinute[LocalDateTime.parse(from(hashed, "2026-01-01T00:00", 1).getFirst()).getMinute()]++;
    }
    assertThat(perMinute)
        .satisfies(counts -> {
          for (int count : counts) {
            assertThat(count).isBetween(130, 270);
          }
        });
  }

  @Test
  void h_with_a_step_keeps_the_step() {
    assertThat(from(unix("H/20 0 1 1 *"), "2026-01-01T00:00", 4)).hasSize(4);
    List<String> times = from(unix("H/20 * * * *"), "2026-01-01T00:00", 3);
    LocalDateTime first = LocalDateTime.parse(times.getFirst());
    assertThat(first.getMinute()).isLessThan(20);
    assertThat(times.get(1)).isEqualTo(first.plusMinutes(20).toString());
    assertThat(times.get(2)).isEqualTo(first.plusMinutes(40).toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "* * * * * | true",
        "*/5 3 * * * | true",
        "0 */2 * * * | true",
        "0 3/2 * * * | true",
        "H/15 3 * * * | true",
        "30 2 * * * | false",
        "0,30 9-17 * * * | false",
        "0 9-17/2 * * * | false",
        "H H * * * | false",
        "* 30 2 * * * | false"
      })
  void an_interval_has_a_star_or_an_open_step_as_minute_or_hour(String text, boolean interval) {
    assertThat(unix(text).isInterval()).isEqualTo(interval);
  }

  @Test
  void seconds_within_an_hour_are_those_that_the_text_lists() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int round = 0; round < 200; round++) {
      int from = random.nextInt(60);
      int step = 1 + random.nextInt(59);
      int minute = random.nextInt(60);
      int hour = random.nextInt(24);
      CronExpression expression =
          unix(from + "/" + step + " " + minute + "-59 " + hour + " 15 6 * 2026");
      List<String> expected = new ArrayList<>();
      for (LocalDateTime at = LocalDateTime.parse("2026-06-15T00:00");
          at.getDayOfMonth() == 15;
          at = at.plusSeconds(1)) {
        if (at.getHour() == hour
            && at.getMinute() >= minute
            && at.getSecond() >= from
            && (at.getSecond() - from) % step == 0) {
          expected.add(at.toString());
        }
      }
      assertThat(from(expression, "2026-01-01T00:00", expected.size() + 1))
          .as("-Dtest.seed=%d", seed)
          .isEqualTo(expected);
    }
  }
}
