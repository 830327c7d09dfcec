package io.kairos.postgres.task;

import io.kairos.domain.time.EpochMicros;
import java.time.Duration;

/**
 * Which of the noted ends of batches a round looks at. Removed entries stay in the index while an
 * old snapshot needs them, and a walk from its beginning would pass over all of them each time. So
 * rounds go on where the last one stopped, and begin again where the walk was a while ago: an entry
 * whose number is older than that may have been committed meanwhile. One round in a while begins at
 * the first entry, for what was committed later still. Thread-safe.
 */
final class NotedEnds {
  private static final Duration LATE = Duration.ofSeconds(10);

  /** Times {@link #LATE}. */
  private static final int WHOLE_EVERY = 6;

  private long after;
  private long begin;
  private long nextBegin;
  private long last;
  private long movedAtMicros;
  private int moves;

  /**
   * The entries that a round has found.
   *
   * @param moved how many it has counted
   * @param found how many there were, with those of batches that somebody has locked
   * @param last the last that was found; any number when there were none
   * @param atMicros when, by the store's clock; when that steps, rounds begin elsewhere, and none
   *     leaves anything out for good
   */
  record Page(int moved, int found, long last, long atMicros) {
    boolean isEmpty() {
      return found == 0;
    }
  }

  /** The entry behind which the next round looks. */
  synchronized long after() {
    return after;
  }

  /** Returns true when there may be entries before the place where a round began. */
  synchronized boolean isWithin(long began) {
    return began > begin;
  }

  /** A round has looked at entries, at most as many as {@code limit}. */
  synchronized void passed(Page page, int limit) {
    if (!page.isEmpty()) {
      last = Math.max(last, page.last);
    }
    if (page.moved < page.found) {
      nextBegin = begin; // to be looked at again
    }
    if (page.found >= limit) {
      after = page.last;
      return;
    }
    after = begin;
    if (Math.abs(page.atMicros - movedAtMicros) >= EpochMicros.lengthOf(LATE)) {
      begin = nextBegin;
      nextBegin = last;
      movedAtMicros = page.atMicros;
      moves++;
      after = moves % WHOLE_EVERY == 0 ? 0 : begin;
    }
  }
}
