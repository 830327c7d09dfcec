package io.kairos.server.observe;

import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.operator.QueueUse;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of single queues and handlers that need no query of the store. At most {@value #MOST} of
 * them are labels in each meter, because their number has no bound: starts and executions of the
 * others are counted together, and they have no gauges. Thread-safe, but {@link #turn} is called by
 * one thread.
 */
final class QueueMeters {
  static final int MOST = BoundedMeters.MOST;

  private static final Comparator<QueueName> BY_NAME =
      Comparator.<QueueName, String>comparing(queue -> queue.handler().wireName())
          .thenComparingInt(QueueName::priority);

  private final MeterRegistry registry;
  private final BoundedMeters<QueueName, Counter> starts;
  private final BoundedMeters<TaskHandler, DistributionSummary> executions;
  private final BoundedMeters<TaskHandler, Counter> failures;
  private final MultiGauge queued;
  private final MultiGauge running;
  private final MultiGauge maxRunning;

  QueueMeters(MeterRegistry registry) {
    this.registry = registry;
    starts =
        new BoundedMeters<>(
            queue -> starts(tags(queue)), starts(Tags.of("handler", "", "priority", "")));
    executions = new BoundedMeters<>(handler -> executions(handler.wireName()), executions(""));
    failures = new BoundedMeters<>(handler -> failures(handler.wireName()), failures(""));
    queued = gauge("kairos.queue.queued", "Enqueued tasks of a queue in this node's memory");
    running =
        gauge("kairos.queue.running", "Tasks of a limited queue that workers of all nodes perform");
    maxRunning = gauge("kairos.queue.max.running", "How many tasks of a limited queue may run");
  }

  private MultiGauge gauge(String name, String about) {
    return MultiGauge.builder(name).description(about).register(registry);
  }

  private Counter starts(Tags tags) {
    return Counter.builder("kairos.queue.started")
        .description("Attempts handed to workers by this node; without a name for all other queues")
        .tags(tags)
        .register(registry);
  }

  /** Without buckets, of which there would be too many. */
  private DistributionSummary executions(String handler) {
    return DistributionSummary.builder("kairos.task.execution")
        .description("From the claim of an attempt to its result; without a name for all others")
        .baseUnit("seconds")
        .tag("handler", handler)
        .register(registry);
  }

  private Counter failures(String handler) {
    return Counter.builder("kairos.handler.failed.attempts")
        .description("Attempts that workers reported as failed; without a name for all others")
        .tag("handler", handler)
        .register(registry);
  }

  void started(QueueName queue) {
    starts.of(queue).increment();
  }

  void performed(QueueName queue, long tookMicros, boolean isFailed) {
    executions.of(queue.handler()).record(Math.max(0, tookMicros) / MeterFactory.MICROS_PER_SECOND);
    if (isFailed) {
      failures.of(queue.handler()).increment();
    }
  }

  /**
   * Updates the gauges of the fullest queues, and of limited queues in the order of their names.
   */
  void turn(Map<QueueName, Integer> inMemory, Map<QueueName, QueueUse> limits) {
    queued.register(
        rows(inMemory, Map.Entry.<QueueName, Integer>comparingByValue().reversed(), use -> use),
        true);
    Comparator<Map.Entry<QueueName, QueueUse>> byName = Map.Entry.comparingByKey(BY_NAME);
    running.register(rows(limits, byName, QueueUse::running), true);
    maxRunning.register(rows(limits, byName, use -> use.limit().maxRunning()), true);
  }

  /** One row for each of the first queues; a queue without a value has none. */
  private static <V> List<Row<?>> rows(
      Map<QueueName, V> queues,
      Comparator<Map.Entry<QueueName, V>> order,
      Function<V, @Nullable Number> value) {
    return queues.entrySet().stream()
        .sorted(order)
        .limit(MOST)
        .<Row<?>>mapMulti((entry, rows) -> {
          Number shown = value.apply(entry.getValue());
          if (shown != null) {
            rows.accept(Row.of(tags(entry.getKey()), shown));
          }
        })
        .toList();
  }

  private static Tags tags(QueueName queue) {
    return Tags.of(
        "handler", queue.handler().wireName(), "priority", Integer.toString(queue.priority()));
  }
}
