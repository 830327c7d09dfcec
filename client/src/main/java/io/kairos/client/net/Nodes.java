package io.kairos.client.net;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Which node is asked next: in turn. One that failed rests, longer each time, and is asked before
 * its rest is over only when all rest. Thread-safe, without locks; no I/O.
 */
public final class Nodes {
  private static final Duration FIRST_REST = Duration.ofMillis(100);
  private static final Duration LONGEST_REST = Duration.ofSeconds(2);

  private final AtomicReferenceArray<Health> health;
  private final AtomicInteger turn = new AtomicInteger();

  /** Failures in a row, and when the rest after the last is over. */
  private record Health(int failures, long restsUntilNanos) {
    static final Health GOOD = new Health(0, 0);

    boolean restsAt(long now) {
      return failures > 0 && restsUntilNanos - now > 0;
    }
  }

  public Nodes(int count) {
    health = new AtomicReferenceArray<>(count);
    for (int node = 0; node < count; node++) {
      health.set(node, Health.GOOD);
    }
  }

  public int count() {
    return health.length();
  }

  /** The node whose turn it is, or the one whose rest ends first. */
  public int next(long now) {
    int first = Math.floorMod(turn.getAndIncrement(), count());
    int best = first;
    for (int i = 0; i < count(); i++) {
      int node = (first + i) % count();
      Health its = health.get(node);
      if (!its.restsAt(now)) {
        return node;
      }
      if (its.restsUntilNanos - health.get(best).restsUntilNanos < 0) {
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

  /** The last that was heard of it was a failure. */
  public boolean isFailing(int node) {
    return health.get(node).failures > 0;
  }

  public void works(int node) {
    health.set(node, Health.GOOD);
  }

  /**
   * A call to it did not succeed.
   *
   * @param atLeast what the node asked for; zero when it did not say
   * @return how long it rests
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
