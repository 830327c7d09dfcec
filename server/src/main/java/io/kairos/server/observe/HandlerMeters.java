package io.kairos.server.observe;

import io.kairos.engine.task.port.operator.HandlerBacklog;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What handlers have not done, of all nodes, as of the last count. At most {@value #MOST} handlers
 * are labels, those with the oldest due task first, because their number has no bound. Used by one
 * thread.
 */
final class HandlerMeters {
  static final int MOST = BoundedMeters.MOST;

  private static final double MILLIS_PER_SECOND = 1e3;

  private final MeterRegistry registry;
  private final Map<MultiGauge, ToDoubleFunction<HandlerBacklog>> gauges = new LinkedHashMap<>();

  HandlerMeters(MeterRegistry registry) {
    this.registry = registry;
    add("kairos.handler.due.tasks", "Tasks that are due and not begun", "", HandlerBacklog::due);
    add(
        "kairos.handler.oldest.due",
        "How long the oldest task is due that is not begun; 0 when none is",
        "seconds",
        backlog -> backlog.oldest().toMillis() / MILLIS_PER_SECOND);
    add("kairos.handler.running.tasks", "Tasks that workers perform", "", HandlerBacklog::running);
    add(
        "kairos.handler.dead.tasks",
        "Tasks whose attempts were used up and that are kept",
        "",
        HandlerBacklog::dead);
    add(
        "kairos.handler.failed.tasks",
        "Tasks that failed for good and that are kept",
        "",
        HandlerBacklog::failed);
    add(
        "kairos.handler.paused",
        "1 while the whole handler is paused",
        "",
        backlog -> backlog.isPaused() ? 1 : 0);
    add(
        "kairos.handler.last.asked.timestamp",
        "When a worker last asked for tasks, in seconds since 1970; 0 for never",
        "seconds",
        HandlerMeters::askedSeconds);
  }

  private void add(String name, String about, String unit, ToDoubleFunction<HandlerBacklog> value) {
    MultiGauge.Builder gauge = MultiGauge.builder(name).description(about);
    gauges.put((unit.isEmpty() ? gauge : gauge.baseUnit(unit)).register(registry), value);
  }

  private static double askedSeconds(HandlerBacklog backlog) {
    Instant at = backlog.askedAt();
    return at == null ? 0 : at.toEpochMilli() / MILLIS_PER_SECOND;
  }

  /** Shows these instead of those before. */
  void turn(List<HandlerBacklog> backlogs) {
    gauges.forEach((gauge, value) ->
        gauge.register(
            backlogs.stream()
                .<Row<?>>map(backlog ->
                    Row.of(
                        Tags.of("handler", backlog.handler().wireName()),
                        value.applyAsDouble(backlog)))
                .toList(),
            true));
  }
}
