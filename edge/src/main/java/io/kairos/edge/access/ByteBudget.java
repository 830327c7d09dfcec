package io.kairos.edge.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * A bound on the bytes of requests and answers that are in memory, or on the number of calls in
 * progress, over all callers. One caller may have half. Thread-safe; never waits.
 */
public final class ByteBudget {
  private final long most;

  @GuardedBy("this")
  private final Map<Object, Long> byCaller = new HashMap<>();

  @GuardedBy("this")
  private long used;

  public ByteBudget(long most) {
    this.most = most;
  }

  /** Takes bytes for a caller; false, and nothing is taken, when there is no room. */
  public synchronized boolean take(Object caller, long bytes) {
    long ofCaller = byCaller.getOrDefault(caller, 0L) + bytes;
    if (used + bytes > most || ofCaller > most / 2) {
      return false;
    }
    add(caller, bytes);
    return true;
  }

  /** Takes bytes as {@link #take}; while nobody has any also beyond the bound. */
  synchronized boolean takeOrBeFirst(Object caller, long bytes) {
    if (used > 0) {
      return take(caller, bytes);
    }
    add(caller, bytes);
    return true;
  }

  /** True while the caller has less than half. */
  public synchronized boolean hasRoom(Object caller) {
    return byCaller.getOrDefault(caller, 0L) < most / 2;
  }

  /** True while there is room for this caller and it has less than half. */
  synchronized boolean admits(Object caller) {
    return used < most && hasRoom(caller);
  }

  /** Counts bytes that are in memory already, also beyond the bound. */
  synchronized void add(Object caller, long bytes) {
    used += bytes;
    byCaller.merge(caller, bytes, Long::sum);
  }

  public synchronized void giveBack(Object caller, long bytes) {
    used -= bytes;
    byCaller.computeIfPresent(caller, (_, had) -> had == bytes ? null : had - bytes);
  }

  synchronized long used() {
    return used;
  }
}
