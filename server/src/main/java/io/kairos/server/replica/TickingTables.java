package io.kairos.server.replica;

import io.kairos.domain.cron.ComponentId;
import io.kairos.engine.cron.TicksGenerator;
import io.kairos.engine.cron.entry.TableSettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Keeps the generator of ticks in line with the tables. Called on the log's thread. */
public final class TickingTables {
  private final TicksGenerator ticks;
  private Set<ComponentId> ticking = Set.of();

  public TickingTables(TicksGenerator ticks) {
    this.ticks = ticks;
  }

  /** Starts, changes and stops ticks, so that exactly these tables tick. */
  public void update(List<TableSettings> tables) {
    Set<ComponentId> wanted =
        tables.stream().map(TableSettings::component).collect(Collectors.toUnmodifiableSet());
    for (ComponentId before : ticking) {
      if (!wanted.contains(before)) {
        ticks.stop(before);
      }
    }
    for (TableSettings table : tables) {
      ComponentId component = table.component();
      if (!ticks.period(component).orElse(Duration.ZERO).equals(table.tick())) {
        ticks.start(component, table.tick());
      }
    }
    ticking = wanted;
  }
}
