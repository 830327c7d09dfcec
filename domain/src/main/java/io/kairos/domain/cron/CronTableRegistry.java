package io.kairos.domain.cron;

import io.kairos.domain.page.ReservedPages;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The tables of all components, over one set of reserved pages. Used by the thread that executes
 * requests.
 */
public final class CronTableRegistry {
  private final ReservedPages pages;
  private final CronListener listener;
  private final TreeMap<ComponentId, CronTable> tables = new TreeMap<>();

  public CronTableRegistry(ReservedPages pages, CronListener listener) {
    this.pages = pages;
    this.listener = listener;
  }

  /** Returns a component's table, and creates an empty one if it had none. */
  public CronTable table(ComponentId component) {
    return tables.computeIfAbsent(component, _ -> new CronTable(component, pages, listener));
  }

  public Optional<CronTable> find(ComponentId component) {
    return Optional.ofNullable(tables.get(component));
  }

  /**
   * Drops a component's table. {@link OnRemove} is not called and the state of the entries stays,
   * so that a later table finds it.
   *
   * @return false if the component had no table
   */
  public boolean disassociate(ComponentId component) {
    return tables.remove(component) != null;
  }

  /** Returns the components that have a table, in order. */
  public List<ComponentId> components() {
    return List.copyOf(tables.keySet());
  }

  public int count() {
    return tables.size();
  }

  /** Returns the number of entries of all tables. */
  public int entryCount() {
    return tables.values().stream().mapToInt(CronTable::count).sum();
  }

  /** Evaluates the table of the tick's component, if there is one. */
  public TickEvaluation evaluate(Tick tick) {
    CronTable table = tables.get(tick.component());
    return table == null ? TickEvaluation.IGNORED : table.evaluate(tick);
  }
}
