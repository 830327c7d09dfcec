package io.kairos.simulator.task;

import io.kairos.domain.task.queue.TaskHandler;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A machine on which a worker's program is started again and again, under a new name each time. */
final class WorkerHost {
  private final TaskCluster world;
  private final String name;
  final Set<TaskHandler> handlers;

  /** Number of tasks that the worker performs at once. */
  final int executors;

  /** True when its handlers ask for a halt if they go on without their lease. */
  final boolean halts;

  final SplittableRandom random;
  private @Nullable WorkerRun worker;
  private int starts;

  WorkerHost(
      TaskCluster world,
      String name,
      Set<TaskHandler> handlers,
      int executors,
      SplittableRandom random) {
    this.world = world;
    this.name = name;
    this.handlers = Set.copyOf(handlers);
    this.executors = executors;
    this.halts = random.nextBoolean();
    this.random = random;
  }

  void startAfter(long nanos) {
    world.kernel.after(nanos, this::start);
  }

  private void start() {
    if (worker() == null) {
      WorkerRun fresh = new WorkerRun(world, this, name + "#" + ++starts);
      worker = fresh;
      fresh.start();
    }
  }

  /** The running worker, or null while none runs. */
  @Nullable WorkerRun worker() {
    WorkerRun running = worker;
    return running == null || running.process.isDead() ? null : running;
  }

  boolean runs(@Nullable String workerName) {
    WorkerRun running = worker();
    return running != null && running.toString().equals(workerName);
  }

  void heal() {
    if (worker() == null) {
      start();
    }
  }
}
