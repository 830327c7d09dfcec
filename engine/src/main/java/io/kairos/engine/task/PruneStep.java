package io.kairos.engine.task;

import io.kairos.domain.task.TaskState;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;

/**
 * Deletes tasks that ended long ago, with a retention for each final state, and expired idempotency
 * keys, in bounded batches. While more is left, the step rests after each batch for as long as the
 * batch took, so that pruning loads the store for half of the time at most. Once a minute the step
 * recounts the tasks of handlers with a quota, and forgets handlers for which no worker has asked
 * for a month and {@linkplain QueueForgetting queues} that hold nothing. Safe to run on every node
 * at once.
 */
final class PruneStep {
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final long RECOUNT_NANOS = Duration.ofMinutes(1).toNanos();
  private static final Duration ASKED_RETENTION = Duration.ofDays(30);

  private final TaskConfig config;
  private final TaskPorts ports;
  private final QueueForgetting forgetting;
  private long recountedAtNanos;

  PruneStep(TaskConfig config, TaskPorts ports) {
    this.config = config;
    this.ports = ports;
    this.recountedAtNanos = ports.monotonic().nanos();
    this.forgetting = new QueueForgetting(ports.tasks(), ports.monotonic());
  }

  NextRound runOnce() {
    long beganAtNanos = ports.monotonic().nanos();
    int forgotten = ports.tasks().pruneIdempotencyKeys(config.maxBatch());
    boolean more = forgotten == config.maxBatch();
    for (TaskState state : TaskState.values()) {
      if (state.isFinished()) {
        Duration retention = config.retention().of(state);
        int pruned = ports.tasks().prune(state, retention, config.maxBatch());
        int batches = ports.tasks().pruneBatches(state, retention, config.maxBatch());
        forgotten += pruned + batches;
        more |= pruned == config.maxBatch() || batches >= config.maxBatch();
      }
    }
    Duration took = Duration.ofNanos(ports.monotonic().nanos() - beganAtNanos);
    recount();
    return NextRound.after(more ? took : EVERY).having(forgotten);
  }

  private void recount() {
    long now = ports.monotonic().nanos();
    if (now - recountedAtNanos >= RECOUNT_NANOS) {
      recountedAtNanos = now;
      ports.tasks().recountQuotas();
      ports.tasks().forgetAsked(ASKED_RETENTION);
      forgetting.run();
    }
  }
}
