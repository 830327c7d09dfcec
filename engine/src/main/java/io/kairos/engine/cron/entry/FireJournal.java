package io.kairos.engine.cron.entry;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The last fires of each component, in reserved pages that are reused in turn. The first page has
 * the range of kept fires, the others have {@value #FIRES_PER_PAGE} fires each. When all are full,
 * the oldest page is overwritten, so that at least {@value #LEAST_KEPT} fires are kept. Where the
 * state has little room, each fire drops the oldest page but the last one, and where it has none,
 * that one too: an entry fires all the same. Nothing is cached.
 */
record FireJournal(ReservedPages pages) {
  static final int FIRES_PER_PAGE = 50;
  static final int PAGES = 199;
  static final int LEAST_KEPT = (PAGES - 1) * FIRES_PER_PAGE;

  private static final int HEAD_BYTES = 2 * Long.BYTES;

  /**
   * Of the room of actions this part is left to entries and modules, to which journals give way.
   */
  private static final int PART_LEFT = 8;

  /**
   * The range of kept fires, counted from 0.
   *
   * @param first number of the oldest kept fire
   * @param end number of the next fire
   */
  private record Head(long first, long end) {}

  void add(ComponentId component, EntryFire fired) {
    Head head = head(component);
    if (pages.room(PageArea.USER) < pages.most(PageArea.USER) / PART_LEFT
        && head.end() - head.first() > FIRES_PER_PAGE) {
      head = forgetPage(component, head);
    }
    while (pages.room(PageArea.USER) < added(head)) {
      if (head.first() == head.end()) {
        return;
      }
      head = forgetPage(component, head);
    }
    long number = head.end();
    boolean beginsPage = number % FIRES_PER_PAGE == 0;
    byte[] before = beginsPage ? new byte[0] : pages.read(page(component, number)).orElseThrow();
    byte[] content = Arrays.copyOf(before, before.length + EntryFireFields.BYTES);
    EntryFireFields.put(ByteBuffer.wrap(content).position(before.length), fired);
    pages.write(page(component, number), content);
    long firstOfPage = number - number % FIRES_PER_PAGE;
    write(component, new Head(Math.max(head.first(), firstOfPage - LEAST_KEPT), number + 1));
  }

  /** By how much the next fire makes the pages larger at most. */
  private static int added(Head head) {
    return EntryFireFields.BYTES
        + (head.end() % FIRES_PER_PAGE == 0 ? ReservedPages.BYTES_BESIDE : 0)
        + (head.end() == 0 ? ReservedPages.BYTES_BESIDE + HEAD_BYTES : 0);
  }

  /** Removes the fires of the oldest page, of which there is one. */
  private Head forgetPage(ComponentId component, Head head) {
    pages.delete(page(component, head.first()));
    long next = head.first() - head.first() % FIRES_PER_PAGE + FIRES_PER_PAGE;
    // A page that is begun anew has no fires before its first one.
    Head left = new Head(next, Math.max(next, head.end()));
    write(component, left);
    return left;
  }

  /** The last fires, latest first, at most {@code limit}. */
  List<EntryFire> last(ComponentId component, int limit) {
    Head head = head(component);
    List<EntryFire> fires = new ArrayList<>();
    for (long number = head.end() - 1; number >= head.first() && fires.size() < limit; number--) {
      fires.add(read(component, number));
    }
    return fires;
  }

  /** Removes the oldest fires, up to the first one at that time or later. */
  void forgetBefore(ComponentId component, Instant time) {
    Head head = head(component);
    long first = head.first();
    while (first < head.end() && isBefore(read(component, first), time)) {
      first++;
      if (first % FIRES_PER_PAGE == 0) {
        pages.delete(page(component, first - 1));
      }
    }
    if (first != head.first()) {
      write(component, new Head(first, head.end()));
    }
  }

  /** A fire without a time is older than every time. */
  private static boolean isBefore(EntryFire fired, Instant time) {
    return switch (fired.at()) {
      case AgreedTime.Off _ -> true;
      case AgreedTime.At at -> at.instant().isBefore(time);
    };
  }

  void forgetAll(ComponentId component) {
    pages.owned(PageArea.USER, BookPages.JOURNAL.owner(component)).forEach(pages::delete);
  }

  private EntryFire read(ComponentId component, long number) {
    byte[] content = pages.read(page(component, number)).orElseThrow();
    int at = (int) (number % FIRES_PER_PAGE) * EntryFireFields.BYTES;
    return EntryFireFields.get(ByteBuffer.wrap(content).position(at));
  }

  private static PageId page(ComponentId component, long number) {
    return BookPages.JOURNAL.page(component, 1 + (int) (number / FIRES_PER_PAGE % PAGES));
  }

  private static PageId headPage(ComponentId component) {
    return BookPages.JOURNAL.page(component, 0);
  }

  private Head head(ComponentId component) {
    return pages
        .read(headPage(component))
        .map(ByteBuffer::wrap)
        .map(from -> new Head(from.getLong(), from.getLong()))
        .orElse(new Head(0, 0));
  }

  private void write(ComponentId component, Head head) {
    ByteBuffer to = ByteBuffer.allocate(HEAD_BYTES).putLong(head.first()).putLong(head.end());
    pages.write(headPage(component), to.array());
  }
}
