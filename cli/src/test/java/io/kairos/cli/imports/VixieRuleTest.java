package io.kairos.cli.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What crontab(5) says, and cron.c does. */
final class VixieRuleTest {
  private static List<Instant> next(String rule, String after, String zone, int count) {
    return VixieRule.parse(rule).orElseThrow().next(Instant.parse(after), ZoneId.of(zone), count);
  }

  private static List<Instant> times(String... times) {
    return Stream.of(times).map(Instant::parse).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          30 6 * * *      | 2026-11-22T06:30:00Z | 2026-11-23T06:30:00Z
          */20 * * * *    | 2026-11-22T06:30:00Z | 2026-11-22T06:40:00Z
          0 0 13 * 5      | 2026-11-22T00:00:00Z | 2026-11-27T00:00:00Z
          0 0 */2 * sun   | 2026-11-22T00:00:00Z | 2026-11-29T00:00:00Z
          0 0 29 feb *    | 2026-11-22T00:00:00Z | 2028-02-29T00:00:00Z
          0 12 * * 7      | 2026-11-22T12:00:00Z | 2026-11-29T12:00:00Z
          5,10-30/10 4 * * * | 2026-11-22T04:10:00Z | 2026-11-22T04:20:00Z
          0 12 ? * friday | 2026-11-22T12:00:00Z | 2026-11-27T12:00:00Z
          0 0 1 january ? | 2026-11-22T12:00:00Z | 2027-01-01T00:00:00Z
          @weekly         | 2026-11-22T00:00:00Z | 2026-11-29T00:00:00Z
          """)
  void the_next_time_is_strictly_after(String rule, String after, String expected) {
    assertThat(next(rule, after, "UTC", 1)).isEqualTo(times(expected));
  }

  @Test
  void a_time_of_day_that_is_left_out_runs_when_the_gap_is_over_and_one_that_repeats_once() {
    assertThat(next("30 2 * * *", "2026-03-28T12:00:00Z", "Europe/Berlin", 2))
        .isEqualTo(times("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"));
    assertThat(next("30 2 * * *", "2026-10-24T12:00:00Z", "Europe/Berlin", 2))
        .isEqualTo(times("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"));
  }

  @Test
  void a_line_with_a_star_follows_the_clock_on_the_wall() {
    assertThat(next("30 * * * *", "2026-10-25T00:00:00Z", "Europe/Berlin", 3))
        .isEqualTo(times("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"));
    assertThat(next("30 * * * *", "2026-03-29T00:00:00Z", "Europe/Berlin", 2))
        .isEqualTo(times("2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"));
  }

  @Test
  void what_never_comes_has_no_times_and_what_is_left_to_chance_is_not_known() {
    assertThat(next("0 0 31 2 *", "2026-01-01T00:00:00Z", "UTC", 1)).isEmpty();
    assertThat(VixieRule.parse("0~30 * * * *")).isEmpty();
    assertThatThrownBy(() -> VixieRule.parse("0 0 * * MON-SUN,x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> VixieRule.parse("0 0 * * fridays"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
