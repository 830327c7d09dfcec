package io.kairos.engine.task.setup;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.TaskState;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import io.kairos.engine.setting.ValueFormats;
import java.time.Duration;

/**
 * Settings of a node's tasks. The record validates itself and refuses settings with which a live
 * worker could lose its task.
 */
public record TaskConfig(
    @Setting(
            key = "tasks.poll-interval",
            defaultValue = "1s",
            min = "0.001s",
            max = "1m",
            description =
                "How often the store consumer asks for tasks that come due, when nothing wakes it.")
        Duration pollInterval,
    @Setting(
            key = "tasks.horizon",
            defaultValue = "10s",
            max = "10m",
            description = "How far ahead of their due time tasks are taken into memory.")
        Duration horizon,
    @Setting(
            key = "tasks.max-queued",
            defaultValue = "200000",
            min = "1",
            max = "1000000",
            shrinks = true,
            description = "Most tasks of one queue in memory.")
        int maxQueued,
    @Setting(
            key = "tasks.max-queued-bytes",
            defaultValue = "128MiB",
            min = "1MiB",
            shrinks = true,
            format = ValueFormats.LongSize.class,
            description = "Most bytes of payload in memory, over all queues.")
        long maxQueuedBytes,
    @Setting(
            key = "tasks.enqueue-timeout",
            defaultValue = "1m",
            min = "0.5s",
            description =
                "How long after its time an enqueued task is taken back: the backstop behind the nodes' liveness.")
        Duration enqueueTimeout,
    @Setting(
            key = "tasks.lease",
            defaultValue = "4.5s",
            description =
                "For how long a claim and a heartbeat keep a task for a worker. Longer than three heartbeats, the timeout of one and the drift together.")
        Duration lease,
    @Setting(
            key = "tasks.heartbeat-interval",
            defaultValue = "1s",
            min = "0.001s",
            description = "How often workers send heartbeats; they are told.")
        Duration heartbeatInterval,
    @Setting(
            key = "tasks.heartbeat-timeout",
            defaultValue = "0.8s",
            min = "0.001s",
            description =
                "After this a worker counts a heartbeat as failed; three in a row make it stop.")
        Duration heartbeatTimeout,
    @Setting(
            key = "tasks.allowed-drift",
            defaultValue = "0.5s",
            description =
                "By how much clocks may drift within a lease, and a worker may be late to stop.")
        Duration allowedDrift,
    @Setting(
            key = "tasks.max-pending",
            defaultValue = "50000",
            min = "1000",
            max = "10000000",
            description =
                "Most tasks, results and heartbeats, each, that wait for the store, half of them of one caller; beyond it calls are refused as exhausted.")
        int maxPending,
    @Setting(
            key = "tasks.max-pending-bytes",
            defaultValue = "64MiB",
            min = "1MiB",
            shrinks = true,
            format = ValueFormats.LongSize.class,
            description =
                "Most bytes of payload, and of the values and errors of results, that wait for the store; beyond it calls are refused as exhausted.")
        long maxPendingBytes,
    @Setting(
            key = "tasks.max-batch",
            defaultValue = "1000",
            min = "1",
            max = "10000",
            description = "Most tasks in one statement.")
        int maxBatch,
    Retention retention) {
  /** Number of heartbeats that must fail in a row until a worker stops itself. */
  public static final int FAILURES_THAT_STOP_A_WORKER = 3;

  /** All defaults: a task of a killed worker runs elsewhere after about five seconds. */
  public static final TaskConfig DEFAULT = ConfigRecord.defaults(TaskConfig.class);

  /** Throws {@link IllegalArgumentException} that names the key and the rule. */
  public TaskConfig {
    ConfigRecord.check(
        TaskConfig.class,
        pollInterval,
        horizon,
        maxQueued,
        maxQueuedBytes,
        enqueueTimeout,
        lease,
        heartbeatInterval,
        heartbeatTimeout,
        allowedDrift,
        maxPending,
        maxPendingBytes,
        maxBatch,
        retention);
    Duration unnoticed =
        heartbeatInterval
            .multipliedBy(FAILURES_THAT_STOP_A_WORKER)
            .plus(heartbeatTimeout)
            .plus(allowedDrift);
    require(
        lease.compareTo(unnoticed) > 0,
        "tasks.lease must exceed three times tasks.heartbeat-interval plus tasks.heartbeat-timeout plus tasks.allowed-drift, or a live worker loses its task");
  }

  /** How long ended tasks are kept. */
  public record Retention(
      @Setting(
              key = "tasks.retention.succeeded",
              defaultValue = "1d",
              description = "How long tasks that succeeded are remembered.")
          Duration succeeded,
      @Setting(
              key = "tasks.retention.failed",
              defaultValue = "30d",
              description =
                  "How long tasks of which a worker said that no attempt would help are remembered.")
          Duration failed,
      @Setting(
              key = "tasks.retention.cancelled",
              defaultValue = "1d",
              description = "How long tasks that were cancelled are remembered.")
          Duration cancelled,
      @Setting(
              key = "tasks.retention.dead",
              defaultValue = "30d",
              description = "How long tasks whose attempts were used up are remembered.")
          Duration dead,
      @Setting(
              key = "tasks.retention.messages",
              defaultValue = "1d",
              min = "0.001s",
              max = "3650d",
              description =
                  "How long a delayed message that has become a task is remembered, so that it makes no second one when it is fired again. Longer than any outage; costs about 300 bytes for each.")
          Duration messages) {
    /** Throws {@link IllegalArgumentException} for a length out of bounds. */
    public Retention {
      ConfigRecord.check(Retention.class, succeeded, failed, cancelled, dead, messages);
    }

    public Duration of(TaskState ended) {
      return switch (ended) {
        case SUCCEEDED -> succeeded;
        case FAILED -> failed;
        case CANCELLED -> cancelled;
        case DEAD -> dead;
        case NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, AWAITING, BLOCKED, PAUSED ->
            throw new IllegalStateException(ended + " is not an end");
      };
    }
  }
}
