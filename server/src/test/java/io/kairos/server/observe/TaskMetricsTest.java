package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final TaskMetrics metrics =
      new TaskMetrics(registry, new RefusedWrites(() -> 0), _ -> {});

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
  void the_store_is_asked_once_in_a_minute() {
    List<Integer> asked = new ArrayList<>();
    for (int turn = 1; turn <= 13; turn++) {
      int now = turn;
      metrics.onceInAMinute(() -> asked.add(now));
    }

    assertThat(asked).containsExactly(1, 13);
  }
}
