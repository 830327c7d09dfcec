package io.kairos.bench.fault;

import io.kairos.bench.task.ExecutionLog.Execution;
import java.util.List;

/**
 * How late the executions of one kind began, around an outage of something that they do not need.
 * The measure is a calm time of the same run, before the outage and as long as it: one is late by
 * the outage when it began later after its due time than {@link #TIMES} times the latest of the
 * calm time, and later than {@link #NOTHING_MILLIS}.
 */
record OutageLateness(List<Execution> all, Window calm) {
  static final int TIMES = 2;

  /** What a pause of the machine may cost at any time. */
  static final double NOTHING_MILLIS = 250;

  /** Due times from one moment to another, microseconds since the epoch. */
  record Window(long from, long until) {
    private boolean has(Execution one) {
      return one.dueMicros() >= from && one.dueMicros() < until;
    }

    private double millis() {
      return (until - from) / 1e3;
    }
  }

  /** The latest of those due in a window; zero when there are none. */
  double latestMillis(Window window) {
    return all.stream().filter(window::has).mapToDouble(OutageLateness::lateMillis).max().orElse(0);
  }

  /** Number of executions due in a window that are late by the outage. */
  long late(Window window) {
    double allowed = allowedMillis();
    return all.stream().filter(window::has).filter(one -> lateMillis(one) > allowed).count();
  }

  /**
   * False when the calm time was so bad that not even what waits for the end of the outage would
   * count as late.
   */
  boolean canJudge(Window away) {
    return allowedMillis() <= away.millis() / 2;
  }

  private double allowedMillis() {
    return Math.max(TIMES * latestMillis(calm), NOTHING_MILLIS);
  }

  private static double lateMillis(Execution one) {
    return (one.beganMicros() - one.dueMicros()) / 1e3;
  }
}
