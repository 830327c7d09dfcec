package io.kairos.engine.task.memory;

import java.time.Duration;

/**
 * Measures how fast a queue hands tasks out and bounds its tasks in memory by that rate. A queue is
 * slow when a limit holds tasks back or its workers do not keep up. A slow queue keeps as many
 * tasks as it hands out in {@value #SECONDS_KEPT} seconds, because more would stay there until
 * their enqueue timeout; other queues may fill the memory. The rate is the best of the last
 * seconds, so that one bad second of the store or the workers does not empty the memory. Guarded by
 * the lock of {@link TaskQueues}.
 */
final class QueuePace {
  private static final int SECONDS_KEPT = 10;
  private static final int LEAST = 16;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final int most;
  private final long patienceNanos;

  private long turnedAtNanos;
  private int handedOut;

  /**
   * Tasks handed out in the best of the last seconds, where each rate fades by ten percent a
   * second.
   */
  private double perSecond;

  private boolean slow;
  private long slowAtNanos;
  private long checkedAtNanos;

  /**
   * @param most largest number of tasks of a queue in memory
   * @param patience how long tasks may lie in memory
   */
  QueuePace(int most, Duration patience, long nowNanos) {
    this.most = most;
    this.patienceNanos = patience.toNanos();
    this.turnedAtNanos = nowNanos;
  }

  void handedOut(int tasks) {
    handedOut += tasks;
  }

  /** Notes that a limit has held tasks back, or that the first task has been due for long. */
  void slow(long nowNanos) {
    if (!isSlow(nowNanos)) {
      checkedAtNanos = nowNanos;
    }
    slow = true;
    slowAtNanos = nowNanos;
  }

  /** Updates the rate. Must be called at intervals of about a second or more often. */
  void turn(long nowNanos) {
    long past = nowNanos - turnedAtNanos;
    if (past >= SECOND) {
      double seconds = (double) past / SECOND;
      double before = perSecond * Math.max(0, 1 - seconds / SECONDS_KEPT);
      perSecond = Math.max(before, handedOut / seconds);
      handedOut = 0;
      turnedAtNanos = nowNanos;
    }
  }

  private boolean isSlow(long nowNanos) {
    return slow && nowNanos - slowAtNanos < patienceNanos;
  }

  /** Largest number of tasks that the queue may have in memory now. */
  int bound(long nowNanos) {
    return isSlow(nowNanos)
        ? (int) Math.min(most, Math.max(LEAST, SECONDS_KEPT * Math.max(perSecond, handedOut)))
        : most;
  }

  /**
   * Number of tasks to keep of {@code size} tasks in memory; the rest should go back to the store.
   */
  int kept(int size, long nowNanos) {
    if (!isSlow(nowNanos)) {
      return size;
    }
    if (nowNanos - checkedAtNanos >= patienceNanos / 2) {
      checkedAtNanos = nowNanos;
      if (Math.max(perSecond, handedOut) * (patienceNanos / 2.0 / SECOND) < size) {
        return 0; // the last of them would reach the enqueue timeout
      }
    }
    int bound = bound(nowNanos);
    return size > 2 * bound ? bound : size;
  }
}
