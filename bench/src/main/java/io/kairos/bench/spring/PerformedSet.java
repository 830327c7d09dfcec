package io.kairos.bench.spring;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Which tasks of a round were performed, noted by the threads that perform them. */
final class PerformedSet {
  private static final long PATIENCE_MINUTES = 5;

  private final AtomicIntegerArray times;
  private final CountDownLatch missing;

  PerformedSet(int tasks) {
    times = new AtomicIntegerArray(tasks);
    missing = new CountDownLatch(tasks);
  }

  void performed(int sequence) {
    if (times.getAndIncrement(sequence) == 0) {
      missing.countDown();
    }
  }

  /** Waits until each was performed; false when that takes too long. */
  boolean awaitAll() throws InterruptedException {
    return missing.await(PATIENCE_MINUTES, TimeUnit.MINUTES);
  }

  /** Tasks that were performed more than once so far. */
  long twice() {
    long twice = 0;
    for (int i = 0; i < times.length(); i++) {
      twice += times.get(i) > 1 ? 1 : 0;
    }
    return twice;
  }
}
