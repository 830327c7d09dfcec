package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.task.port.operator.QueueUse;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueMetersTest {
  private static final QueueName MAIL = queue("mail");
  private static final QueueName PRINT = queue("print");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final QueueMeters meters = new QueueMeters(registry);

  private static QueueName queue(String handler) {
    return new QueueName(new HandlerName(handler), 50);
  }

  private double started(String handler) {
    return registry.get("kairos.queue.started").tag("handler", handler).counter().count();
  }

  @Test // PD-43
  void starts_are_counted_by_queue() {
    meters.started(MAIL);
    meters.started(PRINT);
    meters.started(MAIL);

    assertThat(started("mail")).isEqualTo(2);
    assertThat(started("print")).isEqualTo(1);
  }

  @Test
  void queues_beyond_the_bound_are_counted_together() {
    for (int i = 0; i < QueueMeters.MOST + 7; i++) {
      meters.started(queue("handler-" + i));
    }
    meters.started(queue("handler-0"));

    assertThat(registry.find("kairos.queue.started").counters())
        .hasSize(QueueMeters.MOST + 1)
        .extracting(Counter::count)
        .contains(7.0, 2.0);
    assertThat(started("")).isEqualTo(7);
  }

  @Test // PD-43
  void executions_are_timed_by_handler_and_beyond_the_bound_together() {
    for (int i = 0; i < QueueMeters.MOST + 7; i++) {
      meters.performed(queue("handler-" + i), 2_000_000, false);
    }
    meters.performed(new QueueName(new HandlerName("handler-0"), 90), 500_000, true);

    DistributionSummary own = execution("handler-0");
    assertThat(own.count()).isEqualTo(2);
    assertThat(own.totalAmount()).isEqualTo(2.5);
    assertThat(execution("").count()).isEqualTo(7);
    assertThat(failures("handler-0")).isEqualTo(1);
    assertThat(failures("handler-1")).isZero();
  }

  private double failures(String handler) {
    Counter counter =
        registry.find("kairos.handler.failed.attempts").tag("handler", handler).counter();
    return counter == null ? 0 : counter.count();
  }

  private DistributionSummary execution(String handler) {
    return registry.get("kairos.task.execution").tag("handler", handler).summary();
  }

  @Test
  void the_fullest_queues_are_shown_and_those_that_are_empty_vanish() {
    Map<QueueName, Integer> many = new HashMap<>();
    for (int i = 0; i < QueueMeters.MOST + 7; i++) {
      many.put(queue("handler-" + i), 10 + i);
    }

    meters.turn(many, Map.of());
    assertThat(registry.find("kairos.queue.queued").gauges())
        .hasSize(QueueMeters.MOST)
        .extracting(Gauge::value)
        .contains(10.0 + QueueMeters.MOST + 6)
        .doesNotContain(16.0);

    meters.turn(Map.of(MAIL, 3), Map.of());
    assertThat(registry.find("kairos.queue.queued").gauges())
        .singleElement()
        .satisfies(gauge -> assertThat(gauge.value()).isEqualTo(3));
  }

  @Test
  void of_limited_queues_it_is_shown_what_runs_and_what_may() {
    meters.turn(
        Map.of(),
        Map.of(
            MAIL, new QueueUse(new TaskQueueLimit(9, null, null), 4),
            PRINT, new QueueUse(new TaskQueueLimit(null, 2.0, null), 1)));

    assertThat(registry.get("kairos.queue.running").tag("handler", "mail").gauge().value())
        .isEqualTo(4);
    assertThat(registry.get("kairos.queue.running").tag("handler", "print").gauge().value())
        .isEqualTo(1);
    assertThat(registry.find("kairos.queue.max.running").gauges())
        .singleElement()
        .satisfies(gauge -> assertThat(gauge.value()).isEqualTo(9));
  }
}
