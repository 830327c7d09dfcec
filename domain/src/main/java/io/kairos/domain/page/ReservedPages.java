package io.kairos.domain.page;

import static io.kairos.domain.check.ArgumentCheck.require;
import static io.kairos.domain.check.HashFunction.FNV_PRIME;

import io.kairos.domain.check.HashFunction;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Pages of replicated state, which survive restarts and are carried by snapshots. A page has room
 * for {@value #PAGE_BYTES} bytes; its content may be shorter. Only the thread that executes
 * requests uses them. The bytes of all pages are bounded, with {@value #BYTES_BESIDE} for each page
 * beside its content: the state of actions has a half of the bound, effects that wait and tables a
 * quarter each, so that actions which have filled theirs stop no work.
 *
 * <p>A caller that keeps content in memory compares {@link #generation()} at each use: another
 * number means that a snapshot has replaced all pages.
 */
public final class ReservedPages {
  public static final int PAGE_BYTES = 4_096;

  /** What a page takes in memory beside its content: its name, and its place among the others. */
  public static final int BYTES_BESIDE = 128;

  private final long maxBytes;
  private final Map<PageArea.Share, Long> bytes = new EnumMap<>(PageArea.Share.class);
  private TreeMap<PageId, byte[]> pages = new TreeMap<>();
  private final Deque<Undo> undos = new ArrayDeque<>();
  private boolean recordsUndos;
  private long generation;
  private long writes;
  private long writeHash;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Undo(PageId page, byte @Nullable [] before) {}

  /**
   * Creates empty pages.
   *
   * @param maxBytes most bytes of all pages together, the same on all replicas
   */
  public ReservedPages(long maxBytes) {
    require(maxBytes > BYTES_BESIDE, "there must be room for a page, not for bytes: ", maxBytes);
    this.maxBytes = maxBytes;
  }

  /** Returns a copy of a page's content. */
  public Optional<byte[]> read(PageId page) {
    byte[] content = pages.get(page);
    return content == null ? Optional.empty() : Optional.of(content.clone());
  }

  /** Returns the names of an owner's pages, in order. */
  public List<PageId> owned(PageArea area, long owner) {
    return between(area, owner, owner);
  }

  /** Returns the names of an area's pages, in order. */
  public List<PageId> in(PageArea area) {
    return between(area, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private List<PageId> between(PageArea area, long first, long last) {
    PageId from = new PageId(area, first, 0);
    PageId to = new PageId(area, last, Integer.MAX_VALUE);
    return List.copyOf(pages.subMap(from, true, to, true).keySet());
  }

  /**
   * Replaces the content of a page.
   *
   * @throws IllegalArgumentException if it does not fit into a page, or is empty
   * @throws IllegalStateException if it makes the pages larger, and there is no room for that
   */
  public void write(PageId page, byte[] content) {
    require(
        content.length >= 1 && content.length <= PAGE_BYTES,
        "a reserved page has 1 to " + PAGE_BYTES + " bytes, not ",
        content.length);
    byte[] before = pages.get(page);
    if (Arrays.equals(before, content)) {
      return;
    }
    long more = bytesOf(content) - bytesOf(before);
    if (more > 0 && more > room(page.area())) {
      PageArea.Share share = page.area().share();
      throw new IllegalStateException(
          "%d of %d bytes of reserved pages are in use: there is no room for %d more in %s"
              .formatted(bytes(share), most(share), more, page));
    }
    remember(page, before);
    set(page, content.clone());
    wrote(page, Arrays.hashCode(content));
  }

  private static long bytesOf(byte @Nullable [] content) {
    return content == null ? 0 : BYTES_BESIDE + content.length;
  }

  private void set(PageId page, byte @Nullable [] content) {
    byte[] before = content == null ? pages.remove(page) : pages.put(page, content);
    bytes.merge(page.area().share(), bytesOf(content) - bytesOf(before), Long::sum);
  }

  /**
   * Deletes a page.
   *
   * @return false if there is no such page
   */
  public boolean delete(PageId page) {
    byte[] before = pages.get(page);
    if (before == null) {
      return false;
    }
    remember(page, before);
    set(page, null);
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
   * Runs user code. If it throws, its writes to pages of user code are undone; writes of the tables
   * around it stay. In a nested call only the writes of the inner code are undone.
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
      set(undo.page(), before);
      wrote(undo.page(), before == null ? 0 : Arrays.hashCode(before));
    }
  }

  /**
   * Returns another number after each {@link #restore}: content that was read before no longer
   * holds.
   */
  public long generation() {
    return generation;
  }

  /**
   * Returns how many times a page was changed in this process: for metrics, not part of the state.
   */
  public long writes() {
    return writes;
  }

  /**
   * Returns a hash over the writes since the last call, in order; 0 for none. Not part of the
   * state: it helps to find out where replicas began to differ.
   */
  public long takeWriteHash() {
    long hash = writeHash;
    writeHash = 0;
    return hash;
  }

  public int count() {
    return pages.size();
  }

  private long bytes(PageArea.Share share) {
    return bytes.getOrDefault(share, 0L);
  }

  private long most(PageArea.Share share) {
    return maxBytes * share.quarters / PageArea.Share.QUARTERS;
  }

  /** Returns the part of the bound that an area has, with those that share it. */
  public long most(PageArea area) {
    return most(area.share());
  }

  /** Returns how many bytes may be added to an area, {@link #BYTES_BESIDE} of them for a page. */
  public long room(PageArea area) {
    return most(area.share()) - bytes(area.share());
  }

  /** Returns the bytes of the pages that share a part of the bound with an area. */
  public long bytes(PageArea area) {
    return bytes(area.share());
  }

  /** Returns an immutable snapshot of all pages. Copies the names, not the contents. */
  public Snapshot snapshot() {
    return new Snapshot(new TreeMap<>(pages));
  }

  /** Replaces all pages, also under tables that are in use. */
  public void restore(Snapshot snapshot) {
    if (recordsUndos) {
      throw new IllegalStateException("user code cannot replace the state that it runs in");
    }
    Map<PageArea.Share, Long> restored = new EnumMap<>(PageArea.Share.class);
    snapshot.pages.forEach(
        (page, content) -> restored.merge(page.area().share(), bytesOf(content), Long::sum));
    restored.forEach((share, size) -> {
      if (size > most(share)) {
        throw new IllegalStateException(
            "a snapshot has pages of %d bytes for %s, where %d are allowed"
                .formatted(size, share, most(share)));
      }
    });
    pages = new TreeMap<>(snapshot.pages);
    bytes.clear();
    bytes.putAll(restored);
    generation++;
  }

  /** Returns SHA-256 over all names and contents: equal on replicas with equal pages. */
  public byte[] digest() {
    MessageDigest digest = HashFunction.sha256();
    ByteBuffer head = ByteBuffer.allocate(Snapshot.HEAD_BYTES);
    pages.forEach((page, content) -> {
      Snapshot.putHead(head.clear(), page, content.length);
      digest.update(head.array());
      digest.update(content);
    });
    return digest.digest();
  }

  /** All pages at one moment; immutable. */
  public static final class Snapshot {
    private static final int HEAD_BYTES = 1 + 8 + 4 + 2;
    private static final String REFUSED = "these bytes are not a snapshot of reserved pages";

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

    /** Returns all pages as bytes, which are equal for equal pages. */
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

    /**
     * Reads the result of {@link #encode}; throws {@link IllegalArgumentException} for other bytes.
     */
    public static Snapshot decode(byte[] bytes) {
      ByteBuffer from = ByteBuffer.wrap(bytes);
      TreeMap<PageId, byte[]> pages = new TreeMap<>();
      int count = from.remaining() < Integer.BYTES ? -1 : from.getInt();
      PageId last = null;
      for (int i = 0; i < count; i++) {
        require(from.remaining() >= HEAD_BYTES, REFUSED);
        PageId page = new PageId(PageArea.numbered(from.get()), from.getLong(), from.getInt());
        int length = Short.toUnsignedInt(from.getShort());
        require(length >= 1 && length <= PAGE_BYTES && from.remaining() >= length, REFUSED);
        require(last == null || last.compareTo(page) < 0, REFUSED);
        byte[] content = new byte[length];
        from.get(content);
        pages.put(page, content);
        last = page;
      }
      require(count >= 0 && !from.hasRemaining(), REFUSED);
      return new Snapshot(pages);
    }
  }
}
