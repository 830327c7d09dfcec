package io.kairos.simulator.task;

import io.kairos.engine.task.port.TaskStore;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A cluster for tasks that wait for each other: nothing else is asked of it, and it is over as soon
 * as all has ended, so that many seeds take little time. In half of the seeds one transaction
 * readies a few successors at most.
 */
public final class GraphCluster extends TaskCluster {
  /** The end leaves time to what waits for a task that failed late, until that is forgotten. */
  private static final Span SPAN = new Span(Duration.ofSeconds(30), Duration.ofSeconds(100));

  /** Time in which a task that has ended would still be performed again. */
  private static final long STAYS_SETTLED_NANOS = Duration.ofSeconds(6).toNanos();

  private long settledSinceNanos = Long.MAX_VALUE;

  public GraphCluster(long seed, TaskWiring wiring, boolean keepsLines) {
    super(new SplittableRandom(seed), wiring, SPAN, keepsLines);
  }

  @Override
  TaskFaults faults(SplittableRandom random) {
    return TaskFaults.ofGraphs(this, random);
  }

  @Override
  int mostReadyAtOnce() {
    return Math.min(TaskStore.MOST_READY_AT_ONCE, tasks.config().maxBatch());
  }

  @Override
  public void scheduleWork() {
    startWorkers();
    workload.scheduleGraphs();
  }

  @Override
  public void healed() {
    wire.heal();
    workers.forEach(WorkerHost::heal);
  }

  @Override
  public boolean hasSettled() {
    long now = kernel.nowNanos();
    settledSinceNanos =
        ledger.tasks().stream().allMatch(this::hasEnded)
            ? Math.min(settledSinceNanos, now)
            : Long.MAX_VALUE;
    return now - STAYS_SETTLED_NANOS >= settledSinceNanos;
  }

  /** A task that waits for one that has failed waits for ever, or until that is forgotten. */
  private boolean hasEnded(TaskTrack task) {
    return task.row == null || task.isFinished() || (task.isHeldUp() && !tasks.forgets());
  }
}
