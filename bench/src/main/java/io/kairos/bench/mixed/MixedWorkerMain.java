package io.kairos.bench.mixed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.mixed.MixedEvent.Kind;
import io.kairos.bench.observe.JsonLines;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The main class of a worker process that writes its executions into the history. */
public final class MixedWorkerMain {
  static final String HANDLER = "bench-mixed";

  private static final long PID = ProcessHandle.current().pid();

  /**
   * One task in so many takes long, so that faults come while it is performed. None with a key,
   * which would hold up the others of its key.
   */
  private static final int LONG_ONE_IN = 100;

  private static final long LONG_MILLIS = 3_000;
  private static final long SHORT_MILLIS = 5;

  private MixedWorkerMain() {}

  /**
   * Settings of a worker process.
   *
   * @param nodes addresses
   */
  public record Settings(Path history, int executors, List<String> nodes) {}

  /** Works until SIGTERM. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Settings settings = BenchProcess.settings(arguments, Settings.class);
    JsonLines<MixedEvent> history = JsonLines.append(settings.history);
    Worker worker =
        Worker.builder(settings.nodes.toArray(String[]::new))
            .concurrency(settings.executors)
            .build()
            .handle(
                HANDLER,
                PayloadCodec.bytes(),
                (payload, context) -> perform(new String(payload, UTF_8), context, history));
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("bench-worker-stop").unstarted(worker::close));
    worker.start();
    worker.join();
  }

  private static void perform(String payload, TaskContext context, JsonLines<MixedEvent> history)
      throws IOException, InterruptedException {
    history.write(event(Kind.BEGAN, payload, context));
    Kind end = Kind.BROKEN_OFF;
    try {
      boolean isLong =
          context.key().isEmpty() && Math.floorMod(context.taskId().hashCode(), LONG_ONE_IN) == 0;
      Thread.sleep(isLong ? LONG_MILLIS : SHORT_MILLIS);
      end = Kind.ENDED;
    } finally {
      history.write(event(end, payload, context));
    }
  }

  private static MixedEvent event(Kind kind, String payload, TaskContext context) {
    return MixedEvent.execution(
        kind, payload, context.taskId().value().toString(), context.fence(), PID);
  }
}
