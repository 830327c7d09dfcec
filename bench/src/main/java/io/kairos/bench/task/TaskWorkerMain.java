package io.kairos.bench.task;

import io.kairos.bench.load.LoadClock;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The main class of a bench's worker process: performs tasks that do nothing but be logged, and the
 * runs of schedules.
 */
public final class TaskWorkerMain {
  public static final String HANDLER = "bench";

  /** Handler of schedules' runs, whose payloads cannot say when a run is due. */
  public static final String FIRED_HANDLER = "bench-fired";

  private TaskWorkerMain() {}

  /** A process of this. */
  public static BenchProcess start(int executors, Path executions, String[] nodes, Path log) {
    List<String> arguments =
        new ArrayList<>(List.of(executions.toString(), Integer.toString(executors)));
    arguments.addAll(List.of(nodes));
    return BenchProcess.worker(TaskWorkerMain.class, arguments, log);
  }

  /**
   * Works until SIGTERM.
   *
   * @param arguments the log of executions, the number of executors, then the nodes' addresses
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    System.setProperty("logback.configurationFile", "io/kairos/bench/bench-logback.xml");
    String[] nodes = List.of(arguments).stream().skip(2).toArray(String[]::new);
    ExecutionLog log = ExecutionLog.write(Path.of(arguments[0]));
    Worker worker =
        Worker.builder(nodes)
            .concurrency(Integer.parseInt(arguments[1]))
            .build()
            .handle(
                HANDLER,
                PayloadCodec.bytes(),
                (payload, _) -> log.ended(ExecutionLog.begin(payload)))
            .handle(
                FIRED_HANDLER,
                PayloadCodec.bytes(),
                (payload, context) ->
                    log.ended(ExecutionLog.begin(payload, LoadClock.micros(context.dueAt()))));
    worker.start();
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("bench-worker-stop")
                .unstarted(() -> {
                  worker.close();
                  log.close();
                  ended.countDown();
                }));
    ended.await();
  }
}
