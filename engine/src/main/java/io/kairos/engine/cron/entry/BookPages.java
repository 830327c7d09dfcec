package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;

/**
 * Owners of the reserved pages of an entry book. The highest byte of an owner is the purpose of its
 * pages; 1 is for pages of modules. The numbers are stored and never change.
 */
enum BookPages {
  /** The list of tables: one page of component 0. */
  TABLES(2),
  /** The entries of a component, each in the page with the number of its position. */
  ENTRIES(3),
  /** The last fires of a component. */
  JOURNAL(4);

  private static final int TAG_SHIFT = 56;

  private final long tag;

  BookPages(long tag) {
    this.tag = tag << TAG_SHIFT;
  }

  long owner(ComponentId component) {
    return tag | component.value();
  }

  PageId page(ComponentId component, int index) {
    return new PageId(PageArea.USER, owner(component), index);
  }
}
