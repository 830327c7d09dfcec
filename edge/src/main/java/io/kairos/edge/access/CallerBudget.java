package io.kairos.edge.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * A bound on what all callers have together, of which one caller may have half: calls, bytes or
 * items. A {@link Stranger} may have a quarter, and all strangers together half. Thread-safe; never
 * waits.
 */
public final class CallerBudget {
  private static final Object STRANGERS = new Object();

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
    if (used + amount > most || left(caller) < amount) {
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

  /** True while the caller has less than it may. */
  public synchronized boolean hasRoom(Object caller) {
    return left(caller) > 0;
  }

  /** The amount that the caller may have beyond what it has. */
  @GuardedBy("this")
  private long left(Object caller) {
    long had = byCaller.getOrDefault(caller, 0L);
    return caller instanceof Stranger
        ? Math.min(most / 4 - had, most / 2 - byCaller.getOrDefault(STRANGERS, 0L))
        : most / 2 - had;
  }

  /** True while there is room for this caller and it has less than it may. */
  synchronized boolean admits(Object caller) {
    return used < most && hasRoom(caller);
  }

  /** Counts what is there already, also beyond the bound. */
  synchronized void add(Object caller, long amount) {
    used += amount;
    byCaller.merge(caller, amount, Long::sum);
    if (caller instanceof Stranger) {
      byCaller.merge(STRANGERS, amount, Long::sum);
    }
  }

  /** Gives back what was taken or added. */
  public synchronized void giveBack(Object caller, long amount) {
    used -= amount;
    giveBackOf(caller, amount);
    if (caller instanceof Stranger) {
      giveBackOf(STRANGERS, amount);
    }
  }

  @GuardedBy("this")
  private void giveBackOf(Object caller, long amount) {
    byCaller.computeIfPresent(caller, (_, had) -> had == amount ? null : had - amount);
  }

  synchronized long used() {
    return used;
  }
}
