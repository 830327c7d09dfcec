package io.kairos.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeMetricsTest {
  private final NodeMetrics metrics =
      NodeMetrics.parse(
          """
          # HELP kairos_delay_taken_over_total Messages taken over
          # TYPE kairos_delay_taken_over_total counter
          kairos_delay_taken_over_total{from="lapsed-node"} 3.0
          kairos_delay_taken_over_total{from="retired-node"} 1.0E3
          kairos_delay_oldest_overdue_seconds NaN
          jvm_limit +Inf
          """);

  @Test
  void samples_of_a_name_are_summed_over_their_labels() {
    assertThat(metrics.sum("kairos_delay_taken_over_total")).isEqualTo(1_003);
    assertThat(metrics.sum("kairos_delay_gone_total")).isZero();
  }

  @Test
  void numbers_that_are_none_are_read() {
    assertThat(metrics.sum("jvm_limit")).isInfinite();
    assertThat(metrics.sum("kairos_delay_oldest_overdue_seconds")).isNaN();
  }
}
