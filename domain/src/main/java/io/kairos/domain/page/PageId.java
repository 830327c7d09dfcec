package io.kairos.domain.page;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

/**
 * Name of a reserved page. Ordered by area, owner and index.
 *
 * @param owner the owner within the area, such as a component
 * @param index counts the pages of an owner, from 0; gaps are allowed
 */
public record PageId(PageArea area, long owner, int index) implements Comparable<PageId> {
  /** Throws {@link IllegalArgumentException} for a negative index. */
  public PageId {
    requireNonNull(area, "area");
    require(index >= 0, "pages are counted from 0, not from ", index);
  }

  @Override
  public int compareTo(PageId other) {
    int byArea = Integer.compare(area.number(), other.area.number());
    if (byArea != 0) {
      return byArea;
    }
    int byOwner = Long.compare(owner, other.owner);
    return byOwner != 0 ? byOwner : Integer.compare(index, other.index);
  }
}
