package io.kairos.bench.task;

import io.kairos.bench.task.ExecutionLog.Execution;
import java.util.Arrays;

/**
 * Checks by the executions whether the tasks of each key were performed one at a time and in order.
 * Accepts executions in any order; not thread-safe. Uses two longs per task.
 */
final class KeyOrder {
  private static final int FIRST_SIZE = 1 << 16;

  private final KeyPlan keys;
  private long[] beganNanos = new long[FIRST_SIZE];
  private long[] endedNanos = new long[FIRST_SIZE];
  private long count;

  KeyOrder(KeyPlan keys) {
    this.keys = keys;
  }

  /**
   * Counts of the order of executions.
   *
   * @param successions pairs of neighbours of one key that were both performed
   * @param disordered of these: the later began before the earlier
   * @param overlapping of these: the later began in order, but before the earlier had ended
   */
  record Count(long successions, long disordered, long overlapping) {
    boolean isKept() {
      return disordered == 0 && overlapping == 0;
    }
  }

  /** Enters an execution. The first beginning and the last end of a repeated task count. */
  void performed(Execution execution) {
    int at = (int) execution.sequence();
    if (at >= beganNanos.length) {
      int size = Math.max(at + 1, beganNanos.length * 2);
      beganNanos = Arrays.copyOf(beganNanos, size);
      endedNanos = Arrays.copyOf(endedNanos, size);
    }
    boolean again = endedNanos[at] != 0;
    beganNanos[at] =
        again ? Math.min(beganNanos[at], execution.beganNanos()) : execution.beganNanos();
    endedNanos[at] =
        again ? Math.max(endedNanos[at], execution.endedNanos()) : execution.endedNanos();
    count = Math.max(count, execution.sequence() + 1);
  }

  Count count() {
    long successions = 0;
    long disordered = 0;
    long overlapping = 0;
    for (int at = keys.keys(); !keys.none() && at < count; at++) {
      int before = (int) keys.previous(at);
      if (endedNanos[at] == 0 || endedNanos[before] == 0) {
        continue;
      }
      successions++;
      if (beganNanos[at] - beganNanos[before] < 0) {
        disordered++;
      } else if (beganNanos[at] - endedNanos[before] < 0) {
        overlapping++;
      }
    }
    return new Count(successions, disordered, overlapping);
  }
}
