package io.kairos.domain.task;

import java.time.InstantSource;
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
  private long millis = -1;
  private long counter;

  /**
   * @param random 64 random bits
   */
  public TaskIds(InstantSource clock, LongSupplier random) {
    this.clock = clock;
    this.random = random;
  }

  /** Makes an id for a task that is accepted now. */
  public synchronized TaskId next() {
    long now = clock.millis();
    if (now > millis) {
      begin(now);
    } else if (counter == LAST_OF_A_MILLISECOND) {
      begin(millis + 1);
    } else {
      counter++;
    }
    return TaskId.at(millis, counter, random.getAsLong());
  }

  private void begin(long newMillis) {
    millis = newMillis;
    counter = random.getAsLong() & FIRST_OF_A_MILLISECOND;
  }
}
