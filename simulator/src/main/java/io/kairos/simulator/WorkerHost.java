package io.kairos.simulator;

import io.kairos.domain.task.TaskHandler;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A machine on which a worker's program is started again and again, under a new name each time. */
final class WorkerHost {
  private final TaskWorld world;
  private final String name;
  private final Set<TaskHandler> handlers;
  private final int executors;
  private final SplittableRandom random;
  private @Nullable WorkerProcess worker;
  private int starts;

  WorkerHost(
      TaskWorld world,
      String name,
      Set<TaskHandler> handlers,
      int executors,
      SplittableRandom random) {
    this.world = world;
    this.name = name;
    this.handlers = Set.copyOf(handlers);
    this.executors = executors;
    this.random = random;
  }

  void startAfter(long nanos) {
    world.kernel().after(nanos, this::start);
  }

  private void start() {
    if (worker() == null) {
      WorkerProcess fresh = new WorkerProcess(world, this, name + "#" + ++starts);
      worker = fresh;
      fresh.start();
    }
  }

  /** The running worker, or null while none runs. */
  @Nullable WorkerProcess worker() {
    WorkerProcess running = worker;
    return running == null || running.process().isDead() ? null : running;
  }

  boolean runs(@Nullable String workerName) {
    WorkerProcess running = worker();
    return running != null && running.toString().equals(workerName);
  }

  void heal() {
    if (worker() == null) {
      start();
    }
  }

  Set<TaskHandler> handlers() {
    return handlers;
  }

  /** How many tasks it performs at once. */
  int executors() {
    return executors;
  }

  SplittableRandom random() {
    return random;
  }
}
