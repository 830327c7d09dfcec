package io.kairos.bench.task;

import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.WorkerProcess;
import io.kairos.bench.rig.Workplace;
import io.kairos.bench.task.ExecutionLog.Execution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Worker processes that know all nodes of a rig, and the logs of what they performed. */
public final class TaskWorkers implements AutoCloseable {
  private final List<WorkerProcess> processes = new ArrayList<>();
  private final List<Path> logs = new ArrayList<>();

  private TaskWorkers() {}

  /**
   * Starts some.
   *
   * @param name of theirs alone in the workplace
   * @param executors of each
   */
  public static TaskWorkers start(
      Rig rig, Workplace workplace, String name, int count, int executors) {
    String[] addresses = rig.nodes().stream().map(NodeProcess::address).toArray(String[]::new);
    TaskWorkers workers = new TaskWorkers();
    boolean complete = false;
    try {
      for (int i = 0; i < count; i++) {
        Path log = workplace.resolve(name + "-" + i + ".executions");
        workers.logs.add(log);
        workers.processes.add(
            TaskWorkerMain.start(
                executors, log, addresses, workplace.resolve(name + "-" + i + ".log")));
      }
      complete = true;
      return workers;
    } finally {
      if (!complete) {
        workers.close();
      }
    }
  }

  /** Of all of them since their start. */
  public Duration processorTime() {
    return processes.stream()
        .map(WorkerProcess::processorTime)
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** SIGTERM, one after the other; their logs are complete then. */
  public void stop() {
    processes.forEach(WorkerProcess::stop);
  }

  /** What they performed, log by log; after {@link #stop}. */
  public void read(Consumer<Execution> reader) {
    try {
      for (Path log : logs) {
        ExecutionLog.read(log, reader);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    processes.forEach(WorkerProcess::close);
  }
}
