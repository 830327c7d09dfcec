package io.kairos.client.net;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Decides which node is called next, in turn. A node that failed rests, longer after each failure,
 * and is called before its rest ends only when all nodes rest. Thread-safe without locks; no I/O.
 */
public final class NodeTurns {
  private static final Duration FIRST_REST = Duration.ofMillis(100);
  private static final Duration LONGEST_REST = Duration.ofSeconds(2);

  private final AtomicReferenceArray<Health> health;
  private final AtomicInteger turn = new AtomicInteger();

  /** Number of failures in a row, and the end of the rest after the last failure. */
  private record Health(int failures, long restsUntilNanos) {
    static final Health GOOD = new Health(0, 0);

    boolean restsAt(long now) {
      return failures > 0 && restsUntilNanos - now > 0;
    }
  }

  public NodeTurns(int count) {
    health = new AtomicReferenceArray<>(count);
    for (int node = 0; node < count; node++) {
      health.set(node, Health.GOOD);
    }
  }

  public int count() {
    return health.length();
  }

  /** Returns the next node in turn that does not rest, or the node whose rest ends first. */
  public int next(long now) {
    return next(now, Set.of());
  }

  /**
   * Returns the next node like {@link #next(long)}, from those that are left.
   *
   * @param without nodes not to call; not all
   */
  public int next(long now, Set<Integer> without) {
    int first = Math.floorMod(turn.getAndIncrement(), count());
    int best = -1;
    for (int i = 0; i < count(); i++) {
      int node = (first + i) % count();
      if (without.contains(node)) {
        continue;
      }
      Health its = health.get(node);
      if (!its.restsAt(now)) {
        return node;
      }
      if (best < 0 || its.restsUntilNanos - health.get(best).restsUntilNanos < 0) {
        best = node;
      }
    }
    return best;
  }

  public boolean rests(int node, long now) {
    return health.get(node).restsAt(now);
  }

  public boolean allRest(long now) {
    for (int node = 0; node < count(); node++) {
      if (!rests(node, now)) {
        return false;
      }
    }
    return true;
  }

  /** True when the last call to the node failed. */
  public boolean isFailing(int node) {
    return health.get(node).failures > 0;
  }

  public void works(int node) {
    health.set(node, Health.GOOD);
  }

  /**
   * Records a failed call to a node.
   *
   * @param atLeast minimum rest, which the node asked for; zero for none
   * @return how long the node rests
   */
  public Duration failed(int node, long now, Duration atLeast) {
    int failures = health.get(node).failures + 1;
    Duration doubled = FIRST_REST.multipliedBy(1L << Math.min(failures - 1, 10));
    Duration rest = doubled.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : doubled;
    if (rest.compareTo(atLeast) < 0) {
      rest = atLeast;
    }
    health.set(node, new Health(failures, now + rest.toNanos()));
    return rest;
  }
}
