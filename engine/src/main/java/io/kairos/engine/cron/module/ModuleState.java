package io.kairos.engine.cron.module;

import io.kairos.domain.check.HashFunction;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import java.util.List;
import java.util.Optional;

/**
 * The whole state of a module: pages of up to {@value ReservedPages#PAGE_BYTES} bytes, numbered
 * from 0; gaps are allowed. Part of the replicated state; nothing is cached, so that a snapshot may
 * replace it at any time. Used on the log's thread only.
 */
public final class ModuleState {
  /** The highest byte of the owners of modules' pages. Stored; never changes. */
  private static final long TAG = 1L << 56;

  private static final long LOW_56 = TAG - 1;

  private final long owner;
  private final ReservedPages pages;
  private final boolean isReadOnly;

  /** Creates a view of the state of the module with that name. */
  public ModuleState(String module, ReservedPages pages) {
    this(module, pages, false);
  }

  private ModuleState(String module, ReservedPages pages, boolean isReadOnly) {
    this.owner = owner(module);
    this.pages = pages;
    this.isReadOnly = isReadOnly;
  }

  /** Creates a view whose methods that write throw {@link IllegalStateException}. */
  public static ModuleState readOnly(String module, ReservedPages pages) {
    return new ModuleState(module, pages, true);
  }

  /**
   * The owner of a module's pages: a hash of 56 bits of its name (FNV-1a, folded). Two modules with
   * equal hashes cannot be in one process.
   */
  public static long owner(String module) {
    long hash = HashFunction.fnv(module);
    return TAG | ((hash ^ (hash >>> 56)) & LOW_56);
  }

  /** Returns a copy of the content of a page; empty for a page without content. */
  public Optional<byte[]> read(int page) {
    return pages.read(id(page));
  }

  /**
   * Replaces the content of a page.
   *
   * @throws IllegalArgumentException if the content is empty, or too large for a page
   * @throws IllegalStateException if the replicated state has no room for what it has more than
   *     before, or may only be read
   */
  public void write(int page, byte[] content) {
    requireWritable();
    pages.write(id(page), content);
  }

  /** Empties a page; returns false if it was empty. */
  public boolean delete(int page) {
    requireWritable();
    return pages.delete(id(page));
  }

  private void requireWritable() {
    if (isReadOnly) {
      throw new IllegalStateException("a rule only reads the state: write in scheduleNext");
    }
  }

  /** The pages with content, in order. */
  public List<Integer> pages() {
    return pages.owned(PageArea.USER, owner).stream().map(PageId::index).toList();
  }

  private PageId id(int page) {
    return new PageId(PageArea.USER, owner, page);
  }
}
