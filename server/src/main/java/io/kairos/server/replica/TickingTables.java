package io.kairos.server.replica;

import io.kairos.domain.cron.ComponentId;
import io.kairos.engine.cron.TicksGenerator;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Has the generator tick for the tables that there are. On the log's thread. */
public final class TickingTables {
  private final TicksGenerator ticks;
  private Set<ComponentId> ticking = Set.of();

  public TickingTables(TicksGenerator ticks) {
    this.ticks = ticks;
  }

  /**
   * Starts, changes and stops.
   *
   * @param periods of all tables; zero for one that stands still
   */
  public void are(Map<ComponentId, Duration> periods) {
    for (ComponentId before : ticking) {
      if (!periods.containsKey(before)) {
        ticks.stop(before);
      }
    }
    periods.forEach((component, period) -> {
      if (!ticks.period(component).orElse(Duration.ZERO).equals(period)) {
        ticks.start(component, period);
      }
    });
    ticking = Set.copyOf(periods.keySet());
  }
}
