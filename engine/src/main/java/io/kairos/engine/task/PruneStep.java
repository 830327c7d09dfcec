package io.kairos.engine.task;

import io.kairos.domain.task.TaskState;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.time.Duration;

/**
 * Forgets tasks that ended long ago, each end by its own retention, and idempotency keys whose time
 * is over. In bounded batches with pauses in between, so that the live path does not feel it; safe
 * to run on every node at once. Now and then it counts the tasks of handlers with a quota anew.
 */
final class PruneStep implements Step {
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final Duration BETWEEN_BATCHES = Duration.ofMillis(50);

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
    boolean more = ports.tasks().pruneIdempotencyKeys(config.maxBatch()) == config.maxBatch();
    for (TaskState state : TaskState.values()) {
      if (state.isFinished()) {
        int pruned = ports.tasks().prune(state, config.retention().of(state), config.maxBatch());
        more |= pruned == config.maxBatch();
      }
    }
    recount();
    return Next.after(more ? BETWEEN_BATCHES : EVERY);
  }

  private void recount() {
    long now = ports.monotonic().nanos();
    if (now - recountedAtNanos >= RECOUNT_NANOS) {
      recountedAtNanos = now;
      ports.tasks().recountQuotas();
    }
  }
}
