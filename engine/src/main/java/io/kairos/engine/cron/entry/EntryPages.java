package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entries in reserved pages, one per page. The counters come first, so that a fire replaces a
 * few bytes at the beginning; the entry follows, as clients send it. Nothing is cached.
 */
record EntryPages(ReservedPages pages) {
  private static final int FIRES_AT = 0;
  private static final int NEXT_SEQUENCE_AT = Long.BYTES;
  private static final int LAST_AT = 2 * Long.BYTES;
  private static final int ENTRY_AT = LAST_AT + EntryFireFields.BYTES;

  /**
   * The stored form of an entry.
   *
   * @param nextSequence 0 before the first fire
   */
  record Stored(EntryDefinition entry, long fires, long nextSequence, @Nullable EntryFire last) {}

  /** Puts an entry without fires in place of any existing one. */
  void put(EntryDefinition entry) {
    byte[] encoded = EntryCodec.encode(entry);
    byte[] content = new byte[ENTRY_AT + encoded.length];
    System.arraycopy(encoded, 0, content, ENTRY_AT, encoded.length);
    pages.write(page(entry.component(), entry.position()), content);
  }

  /** True if an equal entry is stored at the position. */
  boolean has(EntryDefinition entry) {
    byte[] content = pages.read(page(entry.component(), entry.position())).orElse(new byte[0]);
    byte[] encoded = EntryCodec.encode(entry);
    return content.length == ENTRY_AT + encoded.length
        && Arrays.equals(content, ENTRY_AT, content.length, encoded, 0, encoded.length);
  }

  void remove(ComponentId component, int position) {
    pages.delete(page(component, position));
  }

  /** The positions of a component's entries, in order. */
  List<Integer> positions(ComponentId component) {
    return pages.owned(PageArea.USER, BookPages.ENTRIES.owner(component)).stream()
        .map(PageId::index)
        .toList();
  }

  Optional<Stored> find(ComponentId component, int position) {
    return pages.read(page(component, position)).map(EntryPages::decode);
  }

  private static Stored decode(byte[] content) {
    ByteBuffer from = ByteBuffer.wrap(content);
    long fires = from.getLong(FIRES_AT);
    EntryFire last = fires == 0 ? null : EntryFireFields.get(from.position(LAST_AT));
    EntryDefinition entry =
        EntryCodec.decode(Arrays.copyOfRange(content, ENTRY_AT, content.length));
    return new Stored(entry, fires, from.getLong(NEXT_SEQUENCE_AT), last);
  }

  void fired(ComponentId component, EntryFire fired) {
    PageId page = page(component, fired.position());
    byte[] content = pages.read(page).orElseThrow();
    ByteBuffer fields = ByteBuffer.wrap(content);
    fields.putLong(FIRES_AT, fields.getLong(FIRES_AT) + 1);
    EntryFireFields.put(fields.position(LAST_AT), fired);
    pages.write(page, content);
  }

  void nextSequence(ComponentId component, int position, long sequence) {
    PageId page = page(component, position);
    byte[] content = pages.read(page).orElseThrow();
    ByteBuffer.wrap(content).putLong(NEXT_SEQUENCE_AT, sequence);
    pages.write(page, content);
  }

  private static PageId page(ComponentId component, int position) {
    return BookPages.ENTRIES.page(component, position);
  }
}
