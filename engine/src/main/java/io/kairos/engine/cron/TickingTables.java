package io.kairos.engine.cron;

import io.kairos.domain.cron.ComponentId;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Keeps the generator of ticks in line with the tables. Called on the log's thread. */
final class TickingTables {
  private final TicksGenerator ticks;
  private Set<ComponentId> ticking = Set.of();

  TickingTables(TicksGenerator ticks) {
    this.ticks = ticks;
  }

  /** Starts, changes and stops ticks, so that these tables tick, and none of the former ones. */
  void update(Map<ComponentId, Duration> tables) {
    for (ComponentId before : ticking) {
      if (!tables.containsKey(before)) {
        ticks.stop(before);
      }
    }
    tables.forEach((component, period) -> {
      if (!ticks.period(component).orElse(Duration.ZERO).equals(period)) {
        ticks.start(component, period);
      }
    });
    ticking = Set.copyOf(tables.keySet());
  }
}
