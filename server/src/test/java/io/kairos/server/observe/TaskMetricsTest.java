package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class TaskMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final TaskMetrics metrics = new TaskMetrics(registry, new RefusedWrites(() -> 0));

  @Test // PD-43
  void calls_that_schedule_are_timed_by_their_outcome() {
    metrics.scheduled(true, 2_000_000_000L);
    metrics.scheduled(true, 1_000_000_000L);
    metrics.scheduled(false, 500_000_000L);

    assertThat(schedule("stored").count()).isEqualTo(2);
    assertThat(schedule("stored").totalAmount()).isEqualTo(3);
    assertThat(schedule("refused").totalAmount()).isEqualTo(0.5);
  }

  private DistributionSummary schedule(String outcome) {
    return registry.get("kairos.task.schedule").tag("outcome", outcome).summary();
  }

  @Test // PD-43
  void writes_of_new_tasks_to_the_store_are_timed() {
    metrics.persisted(250_000_000);

    assertThat(registry.get("kairos.task.persist").summary().totalAmount()).isEqualTo(0.25);
  }

  @Test // PD-43
  void stale_tasks_are_counted_once_in_a_minute() {
    metrics.countStale(() -> 7);
    for (int turn = 2; turn <= 12; turn++) {
      metrics.countStale(() -> 99);
    }
    assertThat(registry.get("kairos.task.stale").gauge().value()).isEqualTo(7);

    metrics.countStale(() -> 3);
    assertThat(registry.get("kairos.task.stale").gauge().value()).isEqualTo(3);
  }
}
