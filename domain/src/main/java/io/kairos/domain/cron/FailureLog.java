package io.kairos.domain.cron;

import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The failures of one table's callbacks, in one reserved page: their number, and the {@value
 * #MOST_POSITIONS} positions that failed last. Nothing stays in memory between ticks.
 */
final class FailureLog {
  static final int MOST_POSITIONS = 48;
  private static final int LONGEST_KIND = 60;
  private static final int HEAD_BYTES = Long.BYTES + Short.BYTES;
  private static final int BYTES_PER_POSITION =
      Integer.BYTES + Byte.BYTES + Long.BYTES + Long.BYTES + Byte.BYTES;
  private static final Comparator<EntryFailure> LONGEST_AGO_FIRST =
      Comparator.comparingLong(EntryFailure::sequence).thenComparingInt(EntryFailure::position);

  private final PageId page;
  private final ReservedPages pages;
  private @Nullable Content changed;

  private static final class Content {
    private long total;
    private final TreeMap<Integer, EntryFailure> byPosition = new TreeMap<>();
  }

  FailureLog(ComponentId component, ReservedPages pages) {
    this.page = new PageId(PageArea.FAILURES, component.value(), 0);
    this.pages = pages;
  }

  void record(int position, EntryCallback callback, long sequence, Throwable thrown) {
    Content content = content();
    changed = content;
    content.total++;
    EntryFailure before = content.byPosition.get(position);
    long count = before == null ? 1 : before.count() + 1;
    content.byPosition.put(
        position, new EntryFailure(position, callback, count, sequence, kind(thrown)));
    if (content.byPosition.size() > MOST_POSITIONS) {
      content.byPosition.values().stream()
          .min(LONGEST_AGO_FIRST)
          .ifPresent(oldest -> content.byPosition.remove(oldest.position()));
    }
  }

  private static String kind(Throwable thrown) {
    String name = thrown.getClass().getName();
    return name.substring(0, Math.min(name.length(), LONGEST_KIND));
  }

  /** Returns how many callbacks have thrown, also of positions that are no longer listed. */
  long total() {
    return content().total;
  }

  /** Returns the failures in order of position. */
  List<EntryFailure> list() {
    return List.copyOf(content().byPosition.values());
  }

  /** Writes failures that were recorded since the last call. */
  void save() {
    Content content = changed;
    if (content != null) {
      changed = null;
      pages.write(page, encode(content));
    }
  }

  void forget() {
    changed = null;
    pages.delete(page);
  }

  private Content content() {
    Content content = changed;
    if (content != null) {
      return content;
    }
    byte[] kept = pages.read(page).orElse(null);
    return kept == null ? new Content() : decode(kept);
  }

  private static byte[] encode(Content content) {
    int size = HEAD_BYTES;
    for (EntryFailure failure : content.byPosition.values()) {
      size += BYTES_PER_POSITION + failure.kind().length();
    }
    ByteBuffer to = ByteBuffer.allocate(size);
    to.putLong(content.total).putShort((short) content.byPosition.size());
    for (EntryFailure failure : content.byPosition.values()) {
      byte[] kind = failure.kind().getBytes(StandardCharsets.US_ASCII);
      to.putInt(failure.position())
          .put((byte) failure.callback().number())
          .putLong(failure.count())
          .putLong(failure.sequence())
          .put((byte) kind.length)
          .put(kind);
    }
    return to.array();
  }

  private static Content decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    Content content = new Content();
    content.total = from.getLong();
    int positions = from.getShort();
    for (int i = 0; i < positions; i++) {
      int position = from.getInt();
      EntryCallback callback = EntryCallback.numbered(from.get());
      long count = from.getLong();
      long sequence = from.getLong();
      byte[] kind = new byte[from.get()];
      from.get(kind);
      content.byPosition.put(
          position,
          new EntryFailure(
              position, callback, count, sequence, new String(kind, StandardCharsets.US_ASCII)));
    }
    return content;
  }
}
