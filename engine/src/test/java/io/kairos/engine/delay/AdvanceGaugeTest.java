package io.kairos.engine.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.delay.setup.DelayConfig.Advance;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdvanceGaugeTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MILLI = 1_000_000;

  private final AdvanceGauge adaptive =
      new AdvanceGauge(new Advance.Adaptive(Duration.ofMillis(50)));

  @Test
  void ch_36_a_fixed_advance_is_what_it_is() {
    assertThat(new AdvanceGauge(new Advance.Fixed(Duration.ofMillis(50))).micros(0))
        .isEqualTo(50_000);
  }

  @Test
  void ch_f1_without_measurements_nothing_is_sent_early() {
    assertThat(adaptive.micros(0)).isZero();
  }

  @Test // CH-L5
  void ch_f1_it_is_the_shortest_latency_less_the_spread_after_fifteen_whole_seconds() {
    for (int second = 1; second <= 14; second++) {
      adaptive.acknowledged((second % 2 == 0 ? 4 : 5) * MILLI, second * SECOND);
      assertThat(adaptive.micros(second * SECOND)).isZero();
    }

    adaptive.acknowledged(5 * MILLI, 15 * SECOND);

    assertThat(adaptive.micros(16 * SECOND)).isEqualTo(3_000);
  }

  @Test
  void ch_f1_latencies_that_differ_by_more_than_the_shortest_make_nothing_early() {
    watch(1, 8, 12);
    watch(9, 16, 25);

    assertThat(adaptive.micros(17 * SECOND)).isZero();
  }

  @Test
  void ch_f1_a_clock_that_counts_from_below_zero_makes_no_difference() {
    watch(-1_000, -980, 3);

    assertThat(adaptive.micros(-980 * SECOND)).isEqualTo(3_000);
  }

  @Test
  void ch_f1_the_long_latencies_after_an_outage_make_nothing_early() {
    watch(1, 16, 2);
    for (int second = 17; second <= 76; second++) {
      adaptive.micros(second * SECOND);
    }

    adaptive.acknowledged(40 * MILLI, 77 * SECOND);

    assertThat(adaptive.micros(77 * SECOND)).isZero();
  }

  @Test
  void ch_f1_a_stall_of_seconds_makes_nothing_early() {
    watch(1, 16, 2);
    watch(17, 20, 400);

    assertThat(adaptive.micros(20 * SECOND)).isZero();
  }

  @Test
  void ch_f1_it_rises_when_the_short_latencies_are_sixteen_seconds_old() {
    watch(1, 16, 3);
    watch(17, 32, 20);

    assertThat(adaptive.micros(32 * SECOND)).isEqualTo(20_000);
  }

  @Test
  void ch_f1_it_falls_at_once() {
    watch(1, 16, 20);
    adaptive.acknowledged(15 * MILLI, 16 * SECOND);

    assertThat(adaptive.micros(16 * SECOND)).isEqualTo(10_000);
  }

  @Test
  void ch_f1_it_is_bounded() {
    watch(1, 16, 500);

    assertThat(adaptive.micros(16 * SECOND)).isEqualTo(50_000);
  }

  @Test
  void ch_f1_old_measurements_count_for_nothing() {
    watch(1, 16, 30);

    assertThat(adaptive.micros(33 * SECOND)).isZero();
  }

  private void watch(int fromSecond, int toSecond, int latencyMillis) {
    for (int second = fromSecond; second <= toSecond; second++) {
      adaptive.acknowledged(latencyMillis * MILLI, second * SECOND);
    }
  }
}
