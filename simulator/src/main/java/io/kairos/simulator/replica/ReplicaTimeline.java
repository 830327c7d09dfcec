package io.kairos.simulator.replica;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Virtual time and its events, one after another in one thread. Events at the same moment happen in
 * an order drawn from the seed. Replicas only react, so the fibers of {@code io.kairos.simulator}
 * are not needed.
 */
final class ReplicaTimeline {
  private final PriorityQueue<Happening> happenings = new PriorityQueue<>(256, Happening.ORDER);
  private final SplittableRandom lots;
  private long nowNanos;
  private long count;

  private record Happening(long atNanos, long lot, long number, Runnable action) {
    static final Comparator<Happening> ORDER =
        Comparator.comparingLong(Happening::atNanos)
            .thenComparingLong(Happening::lot)
            .thenComparingLong(Happening::number);
  }

  ReplicaTimeline(SplittableRandom lots) {
    this.lots = lots;
  }

  long nowNanos() {
    return nowNanos;
  }

  /** Number of actions scheduled so far: a measure of work. */
  long count() {
    return count;
  }

  void after(long nanos, Runnable action) {
    happenings.add(new Happening(nowNanos + Math.max(0, nanos), lots.nextLong(), ++count, action));
  }

  /** Lets everything happen up to that time. */
  void runUntil(long nanos) {
    while (true) {
      Happening next = happenings.peek();
      if (next == null || next.atNanos() > nanos) {
        break;
      }
      happenings.poll();
      nowNanos = next.atNanos();
      next.action().run();
    }
    nowNanos = Math.max(nowNanos, nanos);
  }
}
