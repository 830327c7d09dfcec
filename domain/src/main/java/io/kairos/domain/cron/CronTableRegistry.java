package io.kairos.domain.cron;

import io.kairos.domain.page.ReservedPages;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The tables of all components (CC-12), over the same reserved pages. Used by the thread that
 * executes requests.
 */
public final class CronTableRegistry {
  private final ReservedPages pages;
  private final CronListener listener;
  private final TreeMap<ComponentId, CronTable> tables = new TreeMap<>();

  public CronTableRegistry(ReservedPages pages, CronListener listener) {
    this.pages = pages;
    this.listener = listener;
  }

  /** A component's table; an empty one if it had none. */
  public CronTable table(ComponentId component) {
    return tables.computeIfAbsent(component, _ -> new CronTable(component, pages, listener));
  }

  public Optional<CronTable> find(ComponentId component) {
    return Optional.ofNullable(tables.get(component));
  }

  /**
   * Drops a component's table and says whether it had one. Its entries are told nothing and what
   * they have kept stays, so that a table built later finds it.
   */
  public boolean disassociate(ComponentId component) {
    return tables.remove(component) != null;
  }

  /** In order. */
  public List<ComponentId> components() {
    return List.copyOf(tables.keySet());
  }

  public int count() {
    return tables.size();
  }

  /** How many entries all tables have. */
  public int entryCount() {
    return tables.values().stream().mapToInt(CronTable::count).sum();
  }

  /** Gives a tick to its component's table, if there is one. */
  public Evaluation evaluate(Tick tick) {
    CronTable table = tables.get(tick.component());
    return table == null ? Evaluation.IGNORED : table.evaluate(tick);
  }
}
