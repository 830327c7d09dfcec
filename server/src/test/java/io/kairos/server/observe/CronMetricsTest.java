package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.cron.round.TickVerdict;
import io.kairos.domain.replica.ReplicaId;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CronMetricsTest {
  private static final long NOW = 1_900_000_000_000L;
  private static final ReplicaId OTHER = new ReplicaId(2);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final CronMetrics metrics =
      new CronMetrics(registry, () -> Instant.ofEpochMilli(NOW), ClockLimits.PUBLISHED);

  @Test
  void cc45_cc49_readings_beyond_the_limits_are_counted_and_at_them_are_not() {
    for (long apart : new long[] {0, 500, -500, 501, -501, 3_000, 3_001, -3_001, -3_002}) {
      metrics.read(OTHER, NOW + apart);
    }

    assertThat(registry.scrape().lines())
        .contains(
            "kairos_cron_clock_soft_total 3.0",
            "kairos_cron_clock_hard_total 3.0",
            "kairos_cron_clock_ahead_seconds{replica=\"2\"} -3.002");
  }

  @Test
  void what_is_executed_anew_after_a_start_says_nothing_of_clocks() {
    metrics.read(OTHER, NOW - 3_600_000);
    metrics.read(OTHER, NOW - 3_599_000);
    assertThat(registry.scrape())
        .contains("kairos_cron_clock_hard_total 0.0")
        .doesNotContain("kairos_cron_clock_ahead_seconds{");

    metrics.read(OTHER, NOW);
    metrics.read(OTHER, NOW - 3_600_000);

    assertThat(registry.scrape().lines()).contains("kairos_cron_clock_hard_total 1.0");
  }

  @Test
  void cc49_ticks_are_counted_by_what_they_were_worth() {
    metrics.judged(new ComponentId(1), OTHER, 1, TickVerdict.BEGINS);
    metrics.judged(new ComponentId(1), OTHER, 2, TickVerdict.BEGINS);
    metrics.judged(new ComponentId(1), OTHER, 2, TickVerdict.LATE);

    assertThat(registry.scrape().lines())
        .contains(
            "kairos_cron_ticks_total{verdict=\"begins\"} 2.0",
            "kairos_cron_ticks_total{verdict=\"late\"} 1.0",
            "kairos_cron_ticks_total{verdict=\"joins\"} 0.0");
  }
}
