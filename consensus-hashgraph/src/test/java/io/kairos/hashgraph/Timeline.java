package io.kairos.hashgraph;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time: runs what was planned in its order. */
final class Timeline {
  private final PriorityQueue<Planned> planned =
      new PriorityQueue<>(Comparator.comparingLong(Planned::at).thenComparingLong(Planned::number));
  private long now;
  private long count;

  private record Planned(long at, long number, Runnable action) {}

  long nowNanos() {
    return now;
  }

  /** Number of actions so far. */
  long count() {
    return count;
  }

  void after(long nanos, Runnable action) {
    planned.add(new Planned(now + Math.max(0, nanos), count++, action));
  }

  void runUntil(long until) {
    while (!planned.isEmpty() && planned.element().at() <= until) {
      Planned next = planned.remove();
      now = next.at();
      next.action().run();
    }
    now = until;
  }
}
