package io.kairos.engine.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.engine.delay.DelayConfig.Advance;
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

  @Test
  void ch_f1_it_follows_the_shortest_recent_latency() {
    adaptive.acknowledged(7 * MILLI, SECOND);
    adaptive.acknowledged(3 * MILLI, SECOND + 1);
    adaptive.acknowledged(9 * MILLI, SECOND + 2);

    assertThat(adaptive.micros(SECOND + 3)).isEqualTo(3_000);
  }

  @Test
  void ch_f1_it_rises_when_the_short_latencies_are_two_windows_old() {
    adaptive.acknowledged(3 * MILLI, SECOND);
    adaptive.acknowledged(20 * MILLI, 2 * SECOND);
    assertThat(adaptive.micros(2 * SECOND)).isEqualTo(3_000);

    adaptive.acknowledged(20 * MILLI, 3 * SECOND);
    assertThat(adaptive.micros(3 * SECOND)).isEqualTo(20_000);
  }

  @Test
  void ch_f1_it_is_bounded() {
    adaptive.acknowledged(500 * MILLI, SECOND);

    assertThat(adaptive.micros(SECOND)).isEqualTo(50_000);
  }

  @Test
  void ch_f1_old_measurements_count_for_nothing() {
    adaptive.acknowledged(30 * MILLI, SECOND);

    assertThat(adaptive.micros(3 * SECOND)).isZero();
  }
}
