package io.kairos.edge.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * A bound on what all callers have together, of which one caller may have half: calls, bytes or
 * items. Thread-safe; never waits.
 */
public final class CallerBudget {
  private final long most;

  @GuardedBy("this")
  private final Map<Object, Long> byCaller = new HashMap<>();

  @GuardedBy("this")
  private long used;

  /**
   * An unused budget.
   *
   * @param most the calls, bytes or items of all callers together
   */
  public CallerBudget(long most) {
    this.most = most;
  }

  /** Takes so much for a caller; false, and nothing is taken, when there is no room. */
  public synchronized boolean take(Object caller, long amount) {
    long ofCaller = byCaller.getOrDefault(caller, 0L) + amount;
    if (used + amount > most || ofCaller > most / 2) {
      return false;
    }
    add(caller, amount);
    return true;
  }

  /** Takes as {@link #take}; while nobody has any also beyond the bound. */
  synchronized boolean takeOrBeFirst(Object caller, long amount) {
    if (used > 0) {
      return take(caller, amount);
    }
    add(caller, amount);
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

  /** Counts what is there already, also beyond the bound. */
  synchronized void add(Object caller, long amount) {
    used += amount;
    byCaller.merge(caller, amount, Long::sum);
  }

  /** Gives back what was taken or added. */
  public synchronized void giveBack(Object caller, long amount) {
    used -= amount;
    byCaller.computeIfPresent(caller, (_, had) -> had == amount ? null : had - amount);
  }

  synchronized long used() {
    return used;
  }
}
