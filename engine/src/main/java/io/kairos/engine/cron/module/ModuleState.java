package io.kairos.engine.cron.module;

import io.kairos.domain.check.HashFunction;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import java.util.List;
import java.util.Optional;

/**
 * All that a module keeps: pages of up to {@value ReservedPages#PAGE_BYTES} bytes, numbered from 0,
 * with gaps as it likes. Part of the replicated state; nothing is cached, so that a snapshot may
 * replace it at any time. On the log's thread only.
 */
public final class ModuleState {
  /** The uppermost byte of owners of modules' pages. Stored, never changes. */
  private static final long TAG = 1L << 56;

  private static final long LOW_56 = TAG - 1;

  private final long owner;
  private final ReservedPages pages;

  /** The state of the module of that name. */
  public ModuleState(String module, ReservedPages pages) {
    this.owner = owner(module);
    this.pages = pages;
  }

  /**
   * To whom the pages of a module belong: a hash of 56 bits (FNV-1a, folded). Two modules that
   * share one cannot be in the same process.
   */
  public static long owner(String module) {
    long hash = HashFunction.fnv(module);
    return TAG | ((hash ^ (hash >>> 56)) & LOW_56);
  }

  /** What is in a page, for the caller to keep; empty for a page that was never written. */
  public Optional<byte[]> read(int page) {
    return pages.read(id(page));
  }

  /**
   * Replaces what is in a page.
   *
   * @throws IllegalArgumentException if it is nothing, or too large for a page
   * @throws IllegalStateException if the replicated state has no room for another page
   */
  public void write(int page, byte[] content) {
    pages.write(id(page), content);
  }

  /** Empties a page; false if it was empty. */
  public boolean delete(int page) {
    return pages.delete(id(page));
  }

  /** The pages that are not empty, in order. Costs a list of them. */
  public List<Integer> pages() {
    return pages.owned(PageArea.USER, owner).stream().map(PageId::index).toList();
  }

  private PageId id(int page) {
    return new PageId(PageArea.USER, owner, page);
  }
}
