package io.kairos.bench.fault;

import io.kairos.bench.task.ExecutionLog.Execution;
import java.time.Duration;
import java.util.List;

/**
 * How late the executions of one kind began, around an outage of something that they do not need.
 * One is late by the outage when it began later after its due time than {@link #LATE}, and later
 * than every one of its kind in the calm before the outage and after it.
 */
record OutageLateness(List<Execution> all, List<Window> calm) {
  static final Duration LATE = Duration.ofMillis(250);

  /** Due times from one moment to another, microseconds since the epoch. */
  record Window(long from, long until) {
    private boolean has(Execution one) {
      return one.dueMicros() >= from && one.dueMicros() < until;
    }
  }

  /** The latest without an outage; zero when there was none. */
  double calmMillis() {
    return calm.stream().mapToDouble(this::latestMillis).max().orElse(0);
  }

  double latestMillis(Window window) {
    return all.stream().filter(window::has).mapToDouble(OutageLateness::lateMillis).max().orElse(0);
  }

  /** Number of executions that are late by the outage. */
  long late(Window window) {
    double threshold = Math.max(calmMillis(), LATE.toMillis());
    return all.stream().filter(window::has).filter(one -> lateMillis(one) > threshold).count();
  }

  private static double lateMillis(Execution one) {
    return (one.beganMicros() - one.dueMicros()) / 1e3;
  }
}
