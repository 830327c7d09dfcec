package io.kairos.bench.task;

import io.kairos.bench.load.WallClock;
import io.kairos.bench.rig.WorkerProcess;
import io.kairos.client.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The main class of a bench's worker process: performs tasks that do nothing but be logged, those
 * of a handler that takes its time, and the runs of schedules.
 */
public final class TaskWorkerMain {
  public static final String HANDLER = "bench";

  /** Its tasks take {@link #SLOW_MILLIS}. */
  static final String SLOW_HANDLER = "bench-slow";

  static final long SLOW_MILLIS = 10;

  /** Of schedules, whose payloads cannot say when a run is due. */
  public static final String FIRED_HANDLER = "bench-fired";

  private TaskWorkerMain() {}

  /** A process of this. */
  public static WorkerProcess start(int executors, Path executions, String[] nodes, Path log) {
    List<String> arguments =
        new ArrayList<>(List.of(executions.toString(), Integer.toString(executors)));
    arguments.addAll(List.of(nodes));
    return WorkerProcess.start(TaskWorkerMain.class, arguments, log);
  }

  /**
   * Works until SIGTERM.
   *
   * @param arguments the log of executions, the number of executors, then the nodes' addresses
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    System.setProperty("logback.configurationFile", "io/kairos/bench/bench-logback.xml");
    String[] nodes = List.of(arguments).stream().skip(2).toArray(String[]::new);
    ExecutionLog log = new ExecutionLog(Path.of(arguments[0]));
    Worker worker =
        Worker.builder(nodes)
            .concurrency(Integer.parseInt(arguments[1]))
            .build()
            .handle(
                HANDLER,
                PayloadCodec.bytes(),
                (payload, _) -> log.ended(ExecutionLog.begin(payload)))
            .handle(
                SLOW_HANDLER,
                PayloadCodec.bytes(),
                (payload, _) -> {
                  ExecutionLog.Execution begun = ExecutionLog.begin(payload);
                  Thread.sleep(SLOW_MILLIS);
                  log.ended(begun);
                })
            .handle(
                FIRED_HANDLER,
                PayloadCodec.bytes(),
                (payload, context) ->
                    log.ended(ExecutionLog.begin(payload, WallClock.micros(context.dueAt()))));
    worker.start();
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("bench-worker-stop")
                .unstarted(() -> {
                  worker.close();
                  close(log);
                  ended.countDown();
                }));
    ended.await();
  }

  private static void close(ExecutionLog log) {
    try {
      log.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the log of executions is not complete", e);
    }
  }
}
