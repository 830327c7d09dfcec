package io.kairos.server.observe;

import io.kairos.engine.task.port.operator.KeyLimitUse;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The use of limits by key, of all nodes, as of the last count. At most {@value #MOST} limits are
 * labels, those for which most tasks wait first; a pattern is one limit, however many names it has.
 * Used by one thread.
 */
final class LimitMeters {
  static final int MOST = BoundedMeters.MOST;

  private static final Comparator<KeyLimitUse> ORDER =
      Comparator.comparingLong(KeyLimitUse::waiting)
          .thenComparingLong(KeyLimitUse::running)
          .reversed()
          .thenComparing(use -> use.pattern().value());

  private final MeterRegistry registry;
  private final Map<MultiGauge, Function<KeyLimitUse, @Nullable Number>> gauges =
      new LinkedHashMap<>();

  LimitMeters(MeterRegistry registry) {
    this.registry = registry;
    add(
        "kairos.limit.max.running",
        "How many tasks of a limit by key may run, of each name of a pattern",
        use -> use.limit().maxRunning());
    add(
        "kairos.limit.running",
        "Tasks of a limit by key that workers of all nodes perform, of all names of a pattern",
        KeyLimitUse::running);
    add(
        "kairos.limit.waiting",
        "Due tasks that wait for a limit by key, up to 10,000",
        KeyLimitUse::waiting);
    add("kairos.limit.names", "Lately used names of a limit by key", KeyLimitUse::names);
  }

  private void add(String name, String about, Function<KeyLimitUse, @Nullable Number> value) {
    gauges.put(MultiGauge.builder(name).description(about).register(registry), value);
  }

  /** Shows these instead of those before. */
  void turn(List<KeyLimitUse> uses) {
    List<KeyLimitUse> shown = uses.stream().sorted(ORDER).limit(MOST).toList();
    gauges.forEach((gauge, value) ->
        gauge.register(
            shown.stream()
                .<Row<?>>mapMulti((use, rows) -> {
                  Number number = value.apply(use);
                  if (number != null) {
                    rows.accept(Row.of(Tags.of("limit", use.pattern().value()), number));
                  }
                })
                .toList(),
            true));
  }
}
