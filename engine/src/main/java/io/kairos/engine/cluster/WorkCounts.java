package io.kairos.engine.cluster;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Counts a node's work of one kind since the last period. Any thread counts, at some tens of
 * nanoseconds; one thread takes the counts. What is counted meanwhile belongs to one of the two
 * periods.
 */
public final class WorkCounts {
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private final AtomicLongArray lateness = new AtomicLongArray(LatenessCounts.BUCKETS);
  private final AtomicLong latestMicros = new AtomicLong();

  /** So much was accepted. */
  public void accepted(long count) {
    accepted.addAndGet(count);
  }

  /** One has begun. */
  public void begun() {
    begun.incrementAndGet();
  }

  /** One has ended. */
  public void ended() {
    ended.incrementAndGet();
  }

  /** One was so late; early ones count as punctual. */
  public void late(long micros) {
    long late = Math.clamp(micros, 0, LatenessCounts.LARGEST);
    lateness.incrementAndGet(LatenessCounts.bucket(late));
    if (late > latestMicros.get()) {
      latestMicros.accumulateAndGet(late, Math::max);
    }
  }

  /**
   * The counts since the last call. Called by one thread.
   *
   * @param oldestOverdue how long the oldest is overdue now; null for none
   */
  public WorkFigures take(@Nullable Duration oldestOverdue) {
    long largest = latestMicros.getAndSet(0);
    long[] counts = new long[LatenessCounts.BUCKETS];
    int last = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      if (lateness.get(bucket) > 0) {
        counts[bucket] = lateness.getAndSet(bucket, 0);
        last = bucket;
      }
    }
    // A lateness may have been counted before it was noted as the largest.
    long largestCounted = last == 0 ? 0 : LatenessCounts.upperBound(last - 1) + 1;
    return new WorkFigures(
        accepted.getAndSet(0),
        begun.getAndSet(0),
        ended.getAndSet(0),
        LatenessCounts.of(counts, Math.max(largest, largestCounted)),
        oldestOverdue);
  }
}
