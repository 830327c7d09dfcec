package io.kairos.engine.task;

import java.time.Duration;

/**
 * How fast a queue hands tasks out, and from that how many of them this node keeps in memory. A
 * queue that no limit holds back may fill the memory; one that is held back keeps what it hands out
 * in {@value #SECONDS_KEPT} seconds, as all others would lie there until their enqueue timeout.
 * Guarded by the lock of {@link Queues}.
 */
final class Pace {
  private static final int SECONDS_KEPT = 10;
  private static final int LEAST = 16;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final int most;
  private final long patienceNanos;

  private long turnedAtNanos;
  private int handedOut;
  private long perSecond;
  private boolean limited;
  private long heldBackAtNanos;
  private long movedAtNanos;

  /**
   * @param most that a queue may have in memory
   * @param patience how long tasks may lie in memory
   */
  Pace(int most, Duration patience, long nowNanos) {
    this.most = most;
    this.patienceNanos = patience.toNanos();
    this.turnedAtNanos = nowNanos;
  }

  void handedOut(int tasks, long nowNanos) {
    handedOut += tasks;
    movedAtNanos = nowNanos;
  }

  /** A limit has held tasks back. */
  void heldBack(long nowNanos) {
    if (!isLimited(nowNanos)) {
      movedAtNanos = nowNanos;
    }
    limited = true;
    heldBackAtNanos = nowNanos;
  }

  /** Now and then. */
  void turn(long nowNanos) {
    long past = nowNanos - turnedAtNanos;
    if (past >= SECOND) {
      perSecond = handedOut * SECOND / past;
      handedOut = 0;
      turnedAtNanos = nowNanos;
    }
  }

  private boolean isLimited(long nowNanos) {
    return limited && nowNanos - heldBackAtNanos < patienceNanos;
  }

  /** How many tasks the queue may have in memory. */
  int bound(long nowNanos) {
    return isLimited(nowNanos)
        ? (int) Math.min(most, Math.max(LEAST, SECONDS_KEPT * Math.max(perSecond, handedOut)))
        : most;
  }

  /** Of so many tasks in memory, how many to keep there; the rest is better off in the store. */
  int kept(int size, long nowNanos) {
    if (!isLimited(nowNanos)) {
      return size;
    }
    if (nowNanos - movedAtNanos >= patienceNanos / 2) {
      movedAtNanos = nowNanos;
      return 0;
    }
    int bound = bound(nowNanos);
    return size > 2 * bound ? bound : size;
  }
}
