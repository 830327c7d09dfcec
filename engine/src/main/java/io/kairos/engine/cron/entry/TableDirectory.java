package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.engine.cron.BytesIn;
import io.kairos.engine.cron.BytesOut;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The list of tables with their tick periods, in one reserved page. Nothing is cached. */
record TableDirectory(ReservedPages pages) {
  private static final PageId PAGE = BookPages.TABLES.page(new ComponentId(0), 0);

  /** The tables, in order of component. */
  List<TableSettings> list() {
    return List.copyOf(read().values());
  }

  void put(TableSettings settings) {
    SortedMap<ComponentId, TableSettings> all = read();
    all.put(settings.component(), settings);
    write(all);
  }

  void remove(ComponentId component) {
    SortedMap<ComponentId, TableSettings> all = read();
    all.remove(component);
    write(all);
  }

  private SortedMap<ComponentId, TableSettings> read() {
    SortedMap<ComponentId, TableSettings> all = new TreeMap<>();
    pages
        .read(PAGE)
        .map(BytesIn::new)
        .ifPresent(in -> {
          while (in.hasMore()) {
            ComponentId component = in.component();
            all.put(component, new TableSettings(component, Duration.ofMillis(in.number32())));
          }
        });
    return all;
  }

  private void write(SortedMap<ComponentId, TableSettings> all) {
    if (all.isEmpty()) {
      pages.delete(PAGE);
      return;
    }
    BytesOut out = new BytesOut();
    all.values()
        .forEach(each -> out.component(each.component()).number32((int) each.tick().toMillis()));
    pages.write(PAGE, out.done());
  }
}
