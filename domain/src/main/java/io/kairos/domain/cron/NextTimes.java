package io.kairos.domain.cron;

import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The next times of one table's entries, in as many reserved pages as needed. Page number n has the
 * positions from {@value #POSITIONS_PER_PAGE}·n on, each with its place in the page (two bytes) and
 * milliseconds since 1970. Changes are written once a tick, when the table calls {@link #save}. The
 * memory is loaded again when a snapshot has replaced the pages.
 */
final class NextTimes {
  static final int POSITIONS_PER_PAGE = 400;
  private static final int BYTES_PER_POSITION = Short.BYTES + Long.BYTES;

  private final ComponentId component;
  private final ReservedPages pages;

  /**
   * One cell for every position that ever had a time or an entry; entries keep references to
   * theirs.
   */
  private final TreeMap<Integer, Cell> cells = new TreeMap<>();

  private final TreeSet<Integer> changedPages = new TreeSet<>();
  private int lastChangedPage = -1;
  private long generation;

  /** The next time of one position. Only {@link NextTimes} reads its fields. */
  static final class Cell {
    private final int position;
    private boolean isKnown;
    private long millis;

    private Cell(int position) {
      this.position = position;
    }
  }

  NextTimes(ComponentId component, ReservedPages pages) {
    this.component = component;
    this.pages = pages;
    load();
  }

  Cell cell(int position) {
    refresh();
    return cells.computeIfAbsent(position, Cell::new);
  }

  boolean isKnown(Cell cell) {
    refresh();
    return cell.isKnown;
  }

  /** Returns milliseconds since 1970. The time must be known. */
  long millis(Cell cell) {
    refresh();
    if (!cell.isKnown) {
      throw new IllegalStateException("position " + cell.position + " has no next time");
    }
    return cell.millis;
  }

  void set(Cell cell, long millis) {
    refresh();
    if (!cell.isKnown || cell.millis != millis) {
      cell.isKnown = true;
      cell.millis = millis;
      changed(cell);
    }
  }

  void clear(Cell cell) {
    refresh();
    if (cell.isKnown) {
      cell.isKnown = false;
      changed(cell);
    }
  }

  private void changed(Cell cell) {
    int page = cell.position / POSITIONS_PER_PAGE;
    if (page != lastChangedPage) {
      changedPages.add(page);
      lastChangedPage = page;
    }
  }

  /** Clears the time of one position, and writes that at once. */
  void forget(int position) {
    Cell cell = cell(position);
    clear(cell);
    int page = position / POSITIONS_PER_PAGE;
    if (changedPages.remove(page)) {
      write(page);
    }
    lastChangedPage = -1;
  }

  /** Clears all times, and writes that at once. */
  void forgetAll() {
    refresh();
    cells.values().forEach(cell -> cell.isKnown = false);
    pages.owned(PageArea.SCHEDULE, component.value()).forEach(pages::delete);
    changedPages.clear();
    lastChangedPage = -1;
  }

  /** Writes the pages that have changed since the last call. */
  void save() {
    if (!changedPages.isEmpty()) {
      changedPages.forEach(this::write);
      changedPages.clear();
      lastChangedPage = -1;
    }
  }

  private void write(int page) {
    int first = page * POSITIONS_PER_PAGE;
    int last = (int) Math.min((long) first + POSITIONS_PER_PAGE - 1, Integer.MAX_VALUE);
    Collection<Cell> inPage = cells.subMap(first, true, last, true).values();
    int known = (int) inPage.stream().filter(cell -> cell.isKnown).count();
    if (known == 0) {
      pages.delete(id(page));
      return;
    }
    ByteBuffer content = ByteBuffer.allocate(known * BYTES_PER_POSITION);
    for (Cell cell : inPage) {
      if (cell.isKnown) {
        content.putShort((short) (cell.position - first)).putLong(cell.millis);
      }
    }
    pages.write(id(page), content.array());
  }

  private PageId id(int page) {
    return new PageId(PageArea.SCHEDULE, component.value(), page);
  }

  private void refresh() {
    if (generation != pages.generation()) {
      load();
    }
  }

  private void load() {
    generation = pages.generation();
    changedPages.clear();
    lastChangedPage = -1;
    cells.values().forEach(cell -> cell.isKnown = false);
    for (PageId page : pages.owned(PageArea.SCHEDULE, component.value())) {
      ByteBuffer content = ByteBuffer.wrap(pages.read(page).orElseThrow());
      if (content.remaining() % BYTES_PER_POSITION != 0) {
        throw new IllegalStateException(page + " holds no next times");
      }
      while (content.hasRemaining()) {
        int position = page.index() * POSITIONS_PER_PAGE + content.getShort();
        Cell cell = cells.computeIfAbsent(position, Cell::new);
        cell.isKnown = true;
        cell.millis = content.getLong();
      }
    }
  }
}
