package io.kairos.engine.task;

import java.time.Duration;

/**
 * How fast a queue hands tasks out, and from that how many of them this node keeps in memory. A
 * queue whose tasks begin when they are due may fill the memory; one that is slow, because a limit
 * holds it back or because its workers do not keep up, keeps what it hands out in {@value
 * #SECONDS_KEPT} seconds, as all others would lie there until their enqueue timeout. What it hands
 * out is judged by the best of its last seconds: one bad second, of the store or of its workers,
 * empties no memory. Guarded by the lock of {@link Queues}.
 */
final class Pace {
  private static final int SECONDS_KEPT = 10;
  private static final int LEAST = 16;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final int most;
  private final long patienceNanos;

  private long turnedAtNanos;
  private int handedOut;

  /** Handed out in the best of the last seconds, each less ten percent for every one since. */
  private double perSecond;

  private boolean slow;
  private long slowAtNanos;
  private long checkedAtNanos;

  /**
   * @param most that a queue may have in memory
   * @param patience how long tasks may lie in memory
   */
  Pace(int most, Duration patience, long nowNanos) {
    this.most = most;
    this.patienceNanos = patience.toNanos();
    this.turnedAtNanos = nowNanos;
  }

  void handedOut(int tasks) {
    handedOut += tasks;
  }

  /** A limit has held tasks back, or the first has been due for long. */
  void slow(long nowNanos) {
    if (!isSlow(nowNanos)) {
      checkedAtNanos = nowNanos;
    }
    slow = true;
    slowAtNanos = nowNanos;
  }

  /** Now and then. */
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

  /** How many tasks the queue may have in memory. */
  int bound(long nowNanos) {
    return isSlow(nowNanos)
        ? (int) Math.min(most, Math.max(LEAST, SECONDS_KEPT * Math.max(perSecond, handedOut)))
        : most;
  }

  /** Of so many tasks in memory, how many to keep there; the rest is better off in the store. */
  int kept(int size, long nowNanos) {
    if (!isSlow(nowNanos)) {
      return size;
    }
    if (nowNanos - checkedAtNanos >= patienceNanos / 2) {
      checkedAtNanos = nowNanos;
      if (Math.max(perSecond, handedOut) * (patienceNanos / 2.0 / SECOND) < size) {
        return 0; // the last of them would be reaped here
      }
    }
    int bound = bound(nowNanos);
    return size > 2 * bound ? bound : size;
  }
}
