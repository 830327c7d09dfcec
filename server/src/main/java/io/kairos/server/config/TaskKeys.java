package io.kairos.server.config;

import io.kairos.engine.task.TaskConfig;
import io.kairos.engine.task.TaskConfig.Retention;
import java.time.Duration;
import java.util.Optional;

/** Reads the engine's settings of tasks. Their relations are the engine's to check. */
public final class TaskKeys {
  private static final int QUEUED_MOST = 1_000_000;
  private static final int PENDING_LEAST = 1_000;
  private static final int PENDING_MOST = 10_000_000;
  private static final int BATCH_MOST = 10_000;

  private TaskKeys() {}

  /**
   * Asks for every key below {@code tasks}.
   *
   * @param maxHeapBytes the virtual machine's bound: with less than 1 GiB the node holds less
   * @return empty when there are problems, which the settings know
   */
  public static Optional<TaskConfig> read(Settings settings, long maxHeapBytes) {
    TaskConfig defaults = TaskConfig.DEFAULT;
    double share = DelayKeys.shareOfFullHeap(maxHeapBytes);
    Duration pollInterval =
        settings.value(
            "tasks.poll-interval",
            Kind.DURATION,
            defaults.pollInterval(),
            "How often the store consumer asks for tasks that come due, when nothing wakes it.");
    Duration horizon =
        settings.value(
            "tasks.horizon",
            Kind.DURATION,
            defaults.horizon(),
            "How far ahead of their due time tasks are taken into memory.");
    int maxQueued =
        settings.value(
            "tasks.max-queued",
            Kind.number(1, QUEUED_MOST),
            (int) (defaults.maxQueued() * share),
            "Most tasks of one queue in memory. The default is for a heap of 1 GiB or more; with less it shrinks in proportion.");
    long maxQueuedBytes =
        settings.value(
            "tasks.max-queued-bytes",
            Kind.BYTES,
            Math.max(1L << 20, (long) (defaults.maxQueuedBytes() * share) >> 20 << 20),
            "Most bytes of payload in memory, over all queues. The default is for a heap of 1 GiB or more; with less it shrinks in proportion.");
    Duration enqueueTimeout =
        settings.value(
            "tasks.enqueue-timeout",
            Kind.DURATION,
            defaults.enqueueTimeout(),
            "How long after its time an enqueued task is taken back: the backstop behind the nodes' liveness.");
    Duration lease =
        settings.value(
            "tasks.lease",
            Kind.DURATION,
            defaults.lease(),
            "For how long a claim and a heartbeat keep a task for a worker. Longer than three heartbeats, the timeout of one and the drift together.");
    Duration heartbeatInterval =
        settings.value(
            "tasks.heartbeat-interval",
            Kind.DURATION,
            defaults.heartbeatInterval(),
            "How often workers send heartbeats; they are told.");
    Duration heartbeatTimeout =
        settings.value(
            "tasks.heartbeat-timeout",
            Kind.DURATION,
            defaults.heartbeatTimeout(),
            "After this a worker counts a heartbeat as failed; three in a row make it stop.");
    Duration allowedDrift =
        settings.value(
            "tasks.allowed-drift",
            Kind.DURATION,
            defaults.allowedDrift(),
            "By how much clocks may drift within a lease, and a worker may be late to stop.");
    int maxPending =
        settings.value(
            "tasks.max-pending",
            Kind.number(PENDING_LEAST, PENDING_MOST),
            defaults.maxPending(),
            "Most tasks, results and heartbeats, each, that wait for the store; beyond it calls are refused as exhausted.");
    int maxBatch =
        settings.value(
            "tasks.max-batch",
            Kind.number(1, BATCH_MOST),
            defaults.maxBatch(),
            "Most tasks in one statement.");
    Retention retention = retention(settings, defaults.retention());
    return settings.build(() ->
        new TaskConfig(
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
            maxBatch,
            retention));
  }

  private static Retention retention(Settings settings, Retention defaults) {
    return new Retention(
        kept(settings, "succeeded", defaults.succeeded(), "that succeeded"),
        kept(
            settings,
            "failed",
            defaults.failed(),
            "of which a worker said that no attempt would help"),
        kept(settings, "cancelled", defaults.cancelled(), "that were cancelled"),
        kept(settings, "dead", defaults.dead(), "whose attempts were used up"),
        settings.value(
            "tasks.retention.messages",
            Kind.DURATION,
            defaults.messages(),
            "How long a delayed message that has become a task is remembered, so that it makes no second one when it is fired again. Longer than any outage; costs about 300 bytes for each."));
  }

  private static Duration kept(Settings settings, String state, Duration standard, String which) {
    return settings.value(
        "tasks.retention." + state,
        Kind.DURATION,
        standard,
        "How long tasks " + which + " are remembered.");
  }
}
