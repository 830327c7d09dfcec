package io.kairos.domain.task;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Makes the ids of a node, each greater than the one before, so that tasks with equal due times are
 * in the order of acceptance, also when the clock stands still or goes back. Within a millisecond
 * the next twelve bits are a counter (RFC 9562, 6.2, method 1); when it is used up, the next
 * millisecond is used before it has come. Thread-safe.
 */
public final class TaskIds {
  private static final int COUNTER_BITS = 12;
  private static final long LAST_OF_A_MILLISECOND = (1L << COUNTER_BITS) - 1;

  /** A new millisecond begins in its lower half, so that as many can follow. */
  private static final long FIRST_OF_A_MILLISECOND = LAST_OF_A_MILLISECOND >> 1;

  private final InstantSource clock;
  private final LongSupplier random;

  /** The millisecond and, in the low bits, the counter of the last id. */
  private final AtomicLong last = new AtomicLong(-1L << COUNTER_BITS);

  /**
   * @param random 64 random bits
   */
  public TaskIds(InstantSource clock, LongSupplier random) {
    this.clock = clock;
    this.random = random;
  }

  /** Makes an id for a task that is accepted now. */
  public TaskId next() {
    long now = clock.millis();
    long made = last.updateAndGet(before -> following(before, now));
    return TaskId.at(made >> COUNTER_BITS, made & LAST_OF_A_MILLISECOND, random.getAsLong());
  }

  private long following(long before, long now) {
    long millis = before >> COUNTER_BITS;
    if (now > millis) {
      return firstOf(now);
    }
    return (before & LAST_OF_A_MILLISECOND) == LAST_OF_A_MILLISECOND
        ? firstOf(millis + 1)
        : before + 1;
  }

  private long firstOf(long millis) {
    return (millis << COUNTER_BITS) | (random.getAsLong() & FIRST_OF_A_MILLISECOND);
  }
}
