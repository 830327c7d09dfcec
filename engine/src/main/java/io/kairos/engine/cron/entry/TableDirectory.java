package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The list of tables with their tick periods, in one reserved page. Nothing is cached. */
record TableDirectory(ReservedPages pages) {
  private static final PageId PAGE = BookPages.TABLES.page(new ComponentId(0), 0);
  private static final int BYTES_PER_TABLE = 2 * Integer.BYTES;

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
        .map(ByteBuffer::wrap)
        .ifPresent(from -> {
          while (from.hasRemaining()) {
            ComponentId component = new ComponentId(Integer.toUnsignedLong(from.getInt()));
            all.put(component, new TableSettings(component, Duration.ofMillis(from.getInt())));
          }
        });
    return all;
  }

  private void write(SortedMap<ComponentId, TableSettings> all) {
    if (all.isEmpty()) {
      pages.delete(PAGE);
      return;
    }
    ByteBuffer to = ByteBuffer.allocate(all.size() * BYTES_PER_TABLE);
    for (TableSettings each : all.values()) {
      to.putInt((int) each.component().value()).putInt((int) each.tick().toMillis());
    }
    pages.write(PAGE, to.array());
  }
}
