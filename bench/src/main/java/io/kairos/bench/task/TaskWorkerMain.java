package io.kairos.bench.task;

import io.kairos.bench.rig.BenchProcess;
import io.kairos.bench.rig.NodeAccess;
import io.kairos.client.handler.Handler;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import io.kairos.domain.time.EpochMicros;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The main class of a worker process of the bench. Its two handlers, one for tasks and one for runs
 * of schedules, only log each execution.
 */
public final class TaskWorkerMain {
  public static final String HANDLER = "bench";

  /** Handler of the runs of schedules. Their payloads cannot say when a run is due. */
  public static final String FIRED_HANDLER = "bench-fired";

  /** A handler beside the first, of the same worker. */
  static final String OTHER_HANDLER = "bench-other";

  private TaskWorkerMain() {}

  /**
   * Settings of a worker process.
   *
   * @param executions the log of executions
   * @param holdMillis how long each task is performed
   * @param nodes addresses
   * @param access how the nodes are reached
   */
  public record Settings(
      Path executions, int executors, long holdMillis, List<String> nodes, NodeAccess access) {}

  /** Works until SIGTERM. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Settings settings = BenchProcess.settings(arguments, Settings.class);
    ExecutionLog log = ExecutionLog.write(settings.executions);
    Handler<byte[]> performed =
        (payload, _) -> {
          ExecutionLog.Execution begun = ExecutionLog.begin(payload);
          if (settings.holdMillis > 0) {
            Thread.sleep(settings.holdMillis); // also a sleep of nothing gives the processor away
          }
          log.ended(begun);
        };
    Worker.Builder builder =
        Worker.builder(settings.nodes.toArray(String[]::new)).concurrency(settings.executors);
    Worker worker =
        settings
            .access
            .apply(builder)
            .build()
            .handle(HANDLER, PayloadCodec.bytes(), performed)
            .handle(OTHER_HANDLER, PayloadCodec.bytes(), performed)
            .handle(
                FIRED_HANDLER,
                PayloadCodec.bytes(),
                (payload, context) ->
                    log.ended(ExecutionLog.begin(payload, EpochMicros.of(context.dueAt()))));
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
