package io.kairos.engine.task;

import io.kairos.domain.task.TaskState;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.time.Duration;

/**
 * Forgets tasks that ended long ago, each end by its own retention, and idempotency keys whose time
 * is over. In bounded batches, and as long as there is more, it rests after each for as long as it
 * took: half of the time is spent on it, and the live path has the store to itself for the other
 * half. Safe to run on every node at once. Now and then it counts the tasks of handlers with a
 * quota anew.
 */
final class PruneStep implements Step {
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final long RECOUNT_NANOS = Duration.ofMinutes(1).toNanos();

  private final TaskConfig config;
  private final TaskPorts ports;
  private long recountedAtNanos;

  PruneStep(TaskConfig config, TaskPorts ports) {
    this.config = config;
    this.ports = ports;
    this.recountedAtNanos = ports.monotonic().nanos();
  }

  @Override
  public String name() {
    return "prune-tasks";
  }

  @Override
  public Next runOnce() {
    long beganAtNanos = ports.monotonic().nanos();
    int forgotten = ports.tasks().pruneIdempotencyKeys(config.maxBatch());
    boolean more = forgotten == config.maxBatch();
    for (TaskState state : TaskState.values()) {
      if (state.isFinished()) {
        int pruned = ports.tasks().prune(state, config.retention().of(state), config.maxBatch());
        forgotten += pruned;
        more |= pruned == config.maxBatch();
      }
    }
    Duration took = Duration.ofNanos(ports.monotonic().nanos() - beganAtNanos);
    recount();
    return Next.after(more ? took : EVERY).having(forgotten);
  }

  private void recount() {
    long now = ports.monotonic().nanos();
    if (now - recountedAtNanos >= RECOUNT_NANOS) {
      recountedAtNanos = now;
      ports.tasks().recountQuotas();
    }
  }
}
