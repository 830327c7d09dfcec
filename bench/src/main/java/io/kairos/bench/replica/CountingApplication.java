package io.kairos.bench.replica;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.Periodic;
import io.kairos.domain.page.PageArea;
import io.kairos.domain.page.PageId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.engine.cron.CronApplication;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A cron whose requests count, as {@link CounterMachine} does, or put periodic entries into its one
 * table: each a page, as large as a short definition, so that a snapshot carries them. Their
 * actions count as well.
 */
final class CountingApplication implements CronApplication {
  static final ComponentId COMPONENT = new ComponentId(1);

  private static final byte COUNT = 1;
  private static final byte PUT = 2;
  private static final int DEFINITION_BYTES = 100;
  private static final long ENTRIES = 1;
  private static final PageId REQUESTS = new PageId(PageArea.USER, 2, 0);
  private static final PageId FIRES = new PageId(PageArea.USER, 2, 1);

  private @Nullable CronTable table;

  static byte[] countRequest() {
    return new byte[] {COUNT};
  }

  /**
   * Puts so many entries in.
   *
   * @param period of each
   */
  static byte[] putRequest(int firstPosition, int count, Duration period) {
    return ByteBuffer.allocate(Byte.BYTES + 2 * Integer.BYTES + Long.BYTES)
        .put(PUT)
        .putInt(firstPosition)
        .putInt(count)
        .putLong(period.toMillis())
        .array();
  }

  @Override
  public void build(CronTableRegistry tables, ReservedPages pages) {
    table = tables.table(COMPONENT);
    for (PageId entry : pages.owned(PageArea.USER, ENTRIES)) {
      add(entry.index(), read(pages, entry), pages);
    }
  }

  private void add(int position, long periodMillis, ReservedPages pages) {
    CronTable to = requireNonNull(table);
    to.add(
        Periodic.every(
            to, position, Duration.ofMillis(periodMillis), _ -> increment(pages, FIRES)));
  }

  @Override
  public byte[] execute(Request request, ReservedPages pages) {
    ByteBuffer body = ByteBuffer.wrap(request.body());
    if (body.get() == COUNT) {
      return bytes(increment(pages, REQUESTS));
    }
    int first = body.getInt();
    int count = body.getInt();
    long periodMillis = body.getLong();
    for (int position = first; position < first + count; position++) {
      byte[] definition = ByteBuffer.allocate(DEFINITION_BYTES).putLong(periodMillis).array();
      pages.write(new PageId(PageArea.USER, ENTRIES, position), definition);
      add(position, periodMillis, pages);
    }
    return bytes(count);
  }

  /** Requests that were counted. */
  static long requests(ReservedPages pages) {
    return read(pages, REQUESTS);
  }

  /** Actions that ran. */
  static long fires(ReservedPages pages) {
    return read(pages, FIRES);
  }

  private static long increment(ReservedPages pages, PageId page) {
    long next = read(pages, page) + 1;
    pages.write(page, bytes(next));
    return next;
  }

  private static long read(ReservedPages pages, PageId page) {
    return pages.read(page).map(content -> ByteBuffer.wrap(content).getLong()).orElse(0L);
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
