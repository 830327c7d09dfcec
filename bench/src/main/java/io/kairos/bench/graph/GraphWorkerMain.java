package io.kairos.bench.graph;

import io.kairos.bench.graph.GraphEvent.Kind;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.observe.JsonLines;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The main class of a worker process whose tasks end as their payload says, and which notes each
 * attempt so that a SIGKILL does not take it back. Works until SIGTERM.
 */
public final class GraphWorkerMain {
  static final String HANDLER = "bench-graphs";

  private GraphWorkerMain() {}

  /**
   * Settings of a worker process.
   *
   * @param record of all workers
   * @param nodes addresses
   */
  public record Settings(Path record, int executors, List<String> nodes) {}

  /** How a task ends. */
  enum Course {
    SUCCEED,
    FAIL,
    /** Fails at the first attempt and succeeds at the next. */
    RETRY;

    String payload(int millis) {
      return this + " " + millis;
    }
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Settings settings = BenchProcess.settings(arguments, Settings.class);
    JsonLines<GraphEvent> record = JsonLines.append(settings.record);
    Worker worker =
        Worker.builder(settings.nodes.toArray(String[]::new))
            .concurrency(settings.executors)
            .build()
            .handle(
                HANDLER,
                PayloadCodec.utf8(),
                (payload, context) -> perform(payload, context, record));
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("bench-worker-stop").unstarted(worker::close));
    worker.start();
    worker.join();
  }

  private static void perform(String payload, TaskContext context, JsonLines<GraphEvent> record)
      throws IOException, InterruptedException {
    String[] words = payload.split(" ", -1);
    note(Kind.BEGAN, context, record);
    Thread.sleep(Long.parseLong(words[1]));
    note(Kind.ENDED, context, record);
    switch (Course.valueOf(words[0])) {
      case SUCCEED -> {}
      case FAIL -> throw new FatalFailure("as asked");
      case RETRY -> {
        if (context.attempt() == 1) {
          throw new IllegalStateException("as asked, at the first attempt");
        }
      }
    }
  }

  private static void note(Kind kind, TaskContext context, JsonLines<GraphEvent> record)
      throws IOException {
    record.write(
        new GraphEvent(
            kind,
            context.taskId().value(),
            context.fence(),
            context.attempt(),
            LoadClock.micros()));
  }
}
