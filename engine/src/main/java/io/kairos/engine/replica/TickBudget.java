package io.kairos.engine.replica;

import static io.kairos.domain.check.ArgumentCheck.require;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import java.util.Arrays;

/**
 * A budget of ticks for each replica, so that no replica fills the log with them. A replica that
 * works correctly has one tick pending for each table and needs a small part of its budget. May be
 * used by any thread.
 */
public final class TickBudget {
  /** More than any tick has. */
  private static final int MOST_BYTES = 64;

  private final int most;

  @GuardedBy("this")
  private final int[] left;

  /**
   * Creates full budgets.
   *
   * @param most ticks that a replica can save up
   */
  public TickBudget(ReplicaGroup cluster, int most) {
    require(most >= 1, "a replica must be able to tick, with a budget of ", most);
    this.most = most;
    this.left = new int[cluster.size()];
    Arrays.fill(left, most);
  }

  /**
   * Takes a request of a replica of the cluster; false for a tick for which nothing is left, or
   * that is too large. Other requests than ticks are always taken.
   */
  public synchronized boolean take(ReplicaId from, ClientId client, byte[] command) {
    if (!client.isOfTicks()) {
      return true;
    }
    boolean isWithin = command.length <= MOST_BYTES && left[from.number()] > 0;
    if (isWithin) {
      left[from.number()]--;
    }
    return isWithin;
  }

  /** Gives every replica so many ticks, as far as it can save them up. */
  public synchronized void refill(int ticks) {
    for (int i = 0; i < left.length; i++) {
      left[i] += Math.min(ticks, most - left[i]);
    }
  }
}
