package io.kairos.bench.task;

import io.kairos.bench.rig.BenchProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.ExecutionLog.Execution;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Worker processes that know all nodes of a rig, and the logs of what they performed. */
public final class TaskWorkers {
  private final List<BenchProcess> processes = new ArrayList<>();
  private final List<Path> logs = new ArrayList<>();

  private TaskWorkers() {}

  /**
   * Starts some, which end with the rig.
   *
   * @param executors of each
   */
  public static TaskWorkers start(BenchRig rig, int count, int executors) {
    TaskWorkers workers = new TaskWorkers();
    for (int i = 0; i < count; i++) {
      Path log = rig.folder().resolve("worker-" + i + ".executions");
      workers.logs.add(log);
      workers.processes.add(
          rig.keep(
              BenchProcess.worker(
                  TaskWorkerMain.class,
                  new TaskWorkerMain.Settings(log, executors, List.of(rig.addresses())),
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

  /** SIGTERM, one after the other; their logs are complete then. */
  public void stop() {
    processes.forEach(BenchProcess::stop);
  }

  /** Reads all executions, log by log; after {@link #stop}. */
  public void read(Consumer<Execution> reader) {
    logs.forEach(log -> ExecutionLog.read(log, reader));
  }
}
