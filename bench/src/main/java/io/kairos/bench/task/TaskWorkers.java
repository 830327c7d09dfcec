package io.kairos.bench.task;

import io.kairos.bench.rig.BenchProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.NodeAccess;
import io.kairos.bench.task.ExecutionLog.Execution;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Worker processes that know all nodes of a rig, and the logs of their executions. */
public final class TaskWorkers {
  private final List<BenchProcess> processes = new ArrayList<>();
  private final List<Path> logs = new ArrayList<>();

  private TaskWorkers() {}

  /**
   * Starts worker processes, which end with the rig.
   *
   * @param executors threads of each that perform tasks
   */
  public static TaskWorkers start(BenchRig rig, int count, int executors) {
    return start(rig, count, executors, Duration.ZERO);
  }

  static TaskWorkers start(BenchRig rig, int count, int executors, Duration hold) {
    return start(rig, count, executors, hold, rig.access());
  }

  /**
   * Starts worker processes with credentials of their own.
   *
   * @param hold how long each task is performed
   */
  public static TaskWorkers start(
      BenchRig rig, int count, int executors, Duration hold, NodeAccess access) {
    TaskWorkers workers = new TaskWorkers();
    for (int i = 0; i < count; i++) {
      Path log = rig.folder().resolve("worker-" + i + ".executions");
      workers.logs.add(log);
      workers.processes.add(
          rig.keep(
              BenchProcess.worker(
                  TaskWorkerMain.class,
                  new TaskWorkerMain.Settings(
                      log, executors, hold.toMillis(), List.of(rig.addresses()), access),
                  rig.folder().resolve("worker-" + i + ".log"))));
    }
    return workers;
  }

  int count() {
    return processes.size();
  }

  /** Processor time of all workers since their start. */
  public Duration processorTime() {
    return BenchRig.sum(processes);
  }

  /** Stops the workers with SIGTERM, one after the other, and reads their logs. */
  public void stop(Consumer<Execution> reader) {
    processes.forEach(BenchProcess::stop);
    logs.forEach(log -> ExecutionLog.read(log, reader));
  }
}
