package io.kairos.engine.task;

import io.kairos.domain.task.TaskState;
import java.time.Duration;

/**
 * How a node deals with tasks. Checked as a whole: a configuration in which a live worker could
 * lose its task is refused.
 *
 * @param pollInterval of the store consumer when nothing wakes it (DA-14, DA-15)
 * @param horizon how long before its due time a node takes a task into memory
 * @param maxQueued tasks in memory per queue
 * @param maxQueuedBytes of payload in memory, over all queues
 * @param enqueueTimeout how long after its trigger an enqueued task is given up (DA-17 b): the
 *     backstop, because what a departed node had in memory is released when its liveness lapses
 * @param lease of a claim and of a heartbeat (DA-17 c and d)
 * @param heartbeatInterval that workers keep
 * @param heartbeatTimeout after which a worker counts a heartbeat as failed
 * @param allowedDrift by which clocks, pauses and the end of a worker may be late
 * @param maxPending requests of a kind that wait for the store, each counted by its items
 * @param maxBatch items in one statement
 * @param retention how long tasks are remembered that have ended
 */
public record TaskConfig(
    Duration pollInterval,
    Duration horizon,
    int maxQueued,
    long maxQueuedBytes,
    Duration enqueueTimeout,
    Duration lease,
    Duration heartbeatInterval,
    Duration heartbeatTimeout,
    Duration allowedDrift,
    int maxPending,
    int maxBatch,
    Retention retention) {
  /** A worker that has failed this often in a row stops itself (DA-22). */
  public static final int FAILURES_THAT_STOP_A_WORKER = 3;

  /** What is shipped: a task of a killed worker runs elsewhere after about five seconds. */
  public static final TaskConfig DEFAULT =
      new TaskConfig(
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          200_000,
          128L << 20,
          Duration.ofSeconds(60),
          Duration.ofMillis(4_500),
          Duration.ofSeconds(1),
          Duration.ofMillis(800),
          Duration.ofMillis(500),
          50_000,
          1_000,
          Retention.DEFAULT);

  /** Throws {@link IllegalArgumentException} that names the property and the rule. */
  public TaskConfig {
    require(
        pollInterval.isPositive() && pollInterval.compareTo(Duration.ofMinutes(1)) <= 0,
        "tasks.poll-interval must be positive and at most a minute");
    require(
        !horizon.isNegative() && horizon.compareTo(Duration.ofMinutes(10)) <= 0,
        "tasks.horizon must be between 0 and 10 minutes");
    require(
        maxQueued >= 1 && maxQueued <= 1_000_000, "tasks.max-queued must be between 1 and 1000000");
    require(maxQueuedBytes >= 1 << 20, "tasks.max-queued-bytes must be at least 1 MiB");
    require(
        enqueueTimeout.compareTo(Duration.ofMillis(500)) >= 0,
        "tasks.enqueue-timeout must be at least 500 ms");
    require(
        heartbeatInterval.isPositive()
            && heartbeatTimeout.isPositive()
            && !allowedDrift.isNegative(),
        "tasks.heartbeat-interval and tasks.heartbeat-timeout must be positive, tasks.allowed-drift not negative");
    require(
        lease.compareTo(
                heartbeatInterval
                    .multipliedBy(FAILURES_THAT_STOP_A_WORKER)
                    .plus(heartbeatTimeout)
                    .plus(allowedDrift))
            > 0,
        "tasks.lease must exceed three times tasks.heartbeat-interval plus tasks.heartbeat-timeout plus tasks.allowed-drift, or a live worker loses its task");
    require(
        maxPending >= 1_000 && maxPending <= 10_000_000,
        "tasks.max-pending must be between 1000 and 10000000");
    require(maxBatch >= 1 && maxBatch <= 10_000, "tasks.max-batch must be between 1 and 10000");
  }

  /**
   * How long tasks are remembered that have ended.
   *
   * @param dead those whose attempts were used up, with their payload, so that they can be put back
   * @param messages delayed messages that have become tasks, so that they make no second one
   */
  public record Retention(
      Duration succeeded, Duration failed, Duration cancelled, Duration dead, Duration messages) {
    private static final Duration LONGEST_WINDOW = Duration.ofDays(3_650);

    /** A day of what went well, a month of what did not. */
    public static final Retention DEFAULT =
        new Retention(
            Duration.ofDays(1),
            Duration.ofDays(30),
            Duration.ofDays(1),
            Duration.ofDays(30),
            Duration.ofDays(1));

    /** Throws {@link IllegalArgumentException} for a negative length. */
    public Retention {
      require(
          !succeeded.isNegative()
              && !failed.isNegative()
              && !cancelled.isNegative()
              && !dead.isNegative(),
          "tasks.retention must not be negative");
      require(
          messages.isPositive() && messages.compareTo(LONGEST_WINDOW) <= 0,
          "tasks.retention.messages must be positive and at most 3650 days");
    }

    Duration of(TaskState ended) {
      return switch (ended) {
        case SUCCEEDED -> succeeded;
        case FAILED -> failed;
        case CANCELLED -> cancelled;
        case DEAD -> dead;
        case NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, BLOCKED, PAUSED ->
            throw new IllegalStateException(ended + " is not an end");
      };
    }
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }
}
