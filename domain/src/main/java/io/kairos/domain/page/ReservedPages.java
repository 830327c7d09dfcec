package io.kairos.domain.page;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Fixed-size slots of replicated state (CC-22, CC-30): what is kept here survives restarts and is
 * carried by snapshots. A page is a slot of {@value #PAGE_BYTES} bytes; what is in it may be
 * shorter. Used by the thread that executes, and no other. Bounded in number, and user code to
 * three quarters of that.
 *
 * <p>Whoever keeps in memory what it has read compares {@link #generation()} at each use: another
 * number means that a snapshot has replaced everything (CC-31).
 */
public final class ReservedPages {
  public static final int PAGE_BYTES = 4_096;

  /** User code leaves this part to the tables, which could not go on without. */
  private static final int SHARE_OF_TABLES = 4;

  private static final long FNV_PRIME = 0x100000001b3L;

  private final int maxPages;
  private TreeMap<PageId, byte[]> pages = new TreeMap<>();
  private final Deque<Undo> undos = new ArrayDeque<>();
  private boolean recordsUndos;
  private long generation;
  private long writes;
  private long writeHash;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Undo(PageId page, byte @Nullable [] before) {}

  public ReservedPages(int maxPages) {
    if (maxPages < 1) {
      throw new IllegalArgumentException("there must be room for a page, not for " + maxPages);
    }
    this.maxPages = maxPages;
  }

  /** The content of a page, for the caller to keep. */
  public Optional<byte[]> read(PageId page) {
    byte[] content = pages.get(page);
    return content == null ? Optional.empty() : Optional.of(content.clone());
  }

  /** The names of an owner's pages, in order. */
  public List<PageId> owned(PageArea area, long owner) {
    return List.copyOf(
        pages
            .subMap(
                new PageId(area, owner, 0), true, new PageId(area, owner, Integer.MAX_VALUE), true)
            .keySet());
  }

  /** The names of an area's pages, in order. */
  public List<PageId> in(PageArea area) {
    return List.copyOf(
        pages
            .subMap(
                new PageId(area, Long.MIN_VALUE, 0),
                true,
                new PageId(area, Long.MAX_VALUE, Integer.MAX_VALUE),
                true)
            .keySet());
  }

  /**
   * Replaces the content of a page.
   *
   * @throws IllegalArgumentException if it does not fit into a page, or is nothing
   * @throws IllegalStateException if there are too many pages
   */
  public void write(PageId page, byte[] content) {
    if (content.length < 1 || content.length > PAGE_BYTES) {
      throw new IllegalArgumentException(
          "a reserved page has 1 to " + PAGE_BYTES + " bytes, not " + content.length);
    }
    byte[] before = pages.get(page);
    int most = page.area().undone() ? maxPages - maxPages / SHARE_OF_TABLES : maxPages;
    if (before == null && pages.size() >= most) {
      throw new IllegalStateException(
          pages.size() + " reserved pages are in use: there is no room for " + page);
    }
    if (!Arrays.equals(before, content)) {
      remember(page, before);
      pages.put(page, content.clone());
      wrote(page, Arrays.hashCode(content));
    }
  }

  /** Empties a page; false if it was empty. */
  public boolean delete(PageId page) {
    byte[] before = pages.remove(page);
    if (before == null) {
      return false;
    }
    remember(page, before);
    wrote(page, 0);
    return true;
  }

  private void wrote(PageId page, int contentHash) {
    writes++;
    long hash = (writeHash ^ page.area().number()) * FNV_PRIME;
    hash = (hash ^ page.owner()) * FNV_PRIME;
    hash = (hash ^ page.index()) * FNV_PRIME;
    writeHash = (hash ^ contentHash) * FNV_PRIME;
  }

  private void remember(PageId page, byte @Nullable [] before) {
    if (recordsUndos && page.area().undone()) {
      undos.push(new Undo(page, before));
    }
  }

  /**
   * Runs user code. If it throws, its writes to pages of user code are taken back; those of the
   * tables around it are not. Inside another one, only the inner one's writes are.
   */
  public void undoIfItThrows(Runnable code) {
    boolean outermost = !recordsUndos;
    int mark = undos.size();
    recordsUndos = true;
    boolean completed = false;
    try {
      code.run();
      completed = true;
    } finally {
      if (!completed) {
        takeBackTo(mark);
      }
      if (outermost) {
        recordsUndos = false;
        undos.clear();
      }
    }
  }

  private void takeBackTo(int mark) {
    while (undos.size() > mark) {
      Undo undo = undos.pop();
      byte[] before = undo.before();
      if (before == null) {
        pages.remove(undo.page());
      } else {
        pages.put(undo.page(), before);
      }
      wrote(undo.page(), before == null ? 0 : Arrays.hashCode(before));
    }
  }

  /** Another number after each {@link #restore}: what was read before is no longer true. */
  public long generation() {
    return generation;
  }

  /** How many times a page was changed, in this life: for metrics, and no part of the state. */
  public long writes() {
    return writes;
  }

  /**
   * A hash over what was written since the last call, in its order; 0 for nothing. No part of the
   * state: for finding out where replicas have parted.
   */
  public long takeWriteHash() {
    long hash = writeHash;
    writeHash = 0;
    return hash;
  }

  public int count() {
    return pages.size();
  }

  /** All pages as they are now; stays so. Costs a copy of the names, not of the contents. */
  public Snapshot snapshot() {
    return new Snapshot(new TreeMap<>(pages));
  }

  /** Replaces all pages, also under tables that are in use. */
  public void restore(Snapshot snapshot) {
    if (recordsUndos) {
      throw new IllegalStateException("user code cannot replace the state that it runs in");
    }
    if (snapshot.pages.size() > maxPages) {
      throw new IllegalStateException(
          "a snapshot of " + snapshot.pages.size() + " pages, where " + maxPages + " are allowed");
    }
    pages = new TreeMap<>(snapshot.pages);
    generation++;
  }

  /** SHA-256 over all names and contents: equal on replicas with equal pages. */
  public byte[] digest() {
    MessageDigest digest = sha256();
    ByteBuffer head = ByteBuffer.allocate(Snapshot.HEAD_BYTES);
    pages.forEach((page, content) -> {
      Snapshot.putHead(head.clear(), page, content.length);
      digest.update(head.array());
      digest.update(content);
    });
    return digest.digest();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** All pages at one moment; immutable. */
  public static final class Snapshot {
    private static final int HEAD_BYTES = 1 + 8 + 4 + 2;

    private final SortedMap<PageId, byte[]> pages;

    private Snapshot(SortedMap<PageId, byte[]> pages) {
      this.pages = pages;
    }

    private static void putHead(ByteBuffer to, PageId page, int length) {
      to.put((byte) page.area().number())
          .putLong(page.owner())
          .putInt(page.index())
          .putShort((short) length);
    }

    public int count() {
      return pages.size();
    }

    /** All pages as bytes, the same for equal pages. */
    public byte[] encode() {
      long size = Integer.BYTES;
      for (byte[] content : pages.values()) {
        size += HEAD_BYTES + content.length;
      }
      ByteBuffer to = ByteBuffer.allocate(Math.toIntExact(size)).putInt(pages.size());
      for (Map.Entry<PageId, byte[]> page : pages.entrySet()) {
        putHead(to, page.getKey(), page.getValue().length);
        to.put(page.getValue());
      }
      return to.array();
    }

    /** Reads what {@link #encode} wrote; throws {@link IllegalArgumentException} for else. */
    public static Snapshot decode(byte[] bytes) {
      ByteBuffer from = ByteBuffer.wrap(bytes);
      TreeMap<PageId, byte[]> pages = new TreeMap<>();
      int count = from.remaining() < Integer.BYTES ? -1 : from.getInt();
      PageId last = null;
      for (int i = 0; i < count; i++) {
        require(from.remaining() >= HEAD_BYTES);
        PageId page = new PageId(PageArea.numbered(from.get()), from.getLong(), from.getInt());
        int length = Short.toUnsignedInt(from.getShort());
        require(length >= 1 && length <= PAGE_BYTES && from.remaining() >= length);
        require(last == null || last.compareTo(page) < 0);
        byte[] content = new byte[length];
        from.get(content);
        pages.put(page, content);
        last = page;
      }
      require(count >= 0 && !from.hasRemaining());
      return new Snapshot(pages);
    }

    private static void require(boolean holds) {
      if (!holds) {
        throw new IllegalArgumentException("these bytes are not a snapshot of reserved pages");
      }
    }
  }
}
