package io.kairos.cli.option;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.client.exec.ExecHandler;
import io.kairos.client.handler.Handler;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Handlers, program and shutdown of a worker. */
public final class WorkerOptions {
  /** Time for programs to end after they were asked to, and for their results to be reported. */
  private static final Duration STOP_TIME = ExecHandler.TERM_TIME.plusSeconds(1);

  @Option(
      names = "--handler",
      required = true,
      split = ",",
      description = "Names of the handlers whose tasks the worker performs.")
  List<String> handlers = List.of();

  @Option(
      names = "--drain",
      defaultValue = "30s",
      description = "How long running tasks may go on after SIGTERM (default ${DEFAULT-VALUE}).")
  Duration drain = Duration.ZERO;

  @Option(
      names = "--name",
      description = "Unique name of this worker; made from the process id when left out.")
  @Nullable String name;

  @Option(
      names = "--strict-priority",
      description =
          "Lower priorities begin only while no higher one is due, over all handlers; by default"
              + " handlers take turns and low priorities age.")
  boolean strictPriority;

  @Parameters(
      arity = "1..*",
      paramLabel = "PROGRAM",
      description = "The program and its arguments. All that stands behind it is its own.")
  public List<String> program = List.of();

  /** Returns the builder of a worker for the nodes to call. */
  public Worker.Builder worker(CallOptions calls, int concurrency) {
    Worker.Builder builder =
        Worker.builder(calls.addresses(Destination.NODES).toArray(String[]::new))
            .concurrency(concurrency)
            .stopTime(STOP_TIME)
            .drainTime(drain);
    calls.secure(builder);
    ifGiven(name, builder::name);
    if (strictPriority) {
      builder.strictPriority();
    }
    return builder;
  }

  /** Performs tasks until the process is told to end. */
  public void perform(Worker worker, Handler<byte[]> programs, Runnable afterwards)
      throws InterruptedException {
    for (String handler : handlers) {
      worker.handle(handler, PayloadCodec.bytes(), programs);
    }
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("kairos-worker-stop")
                .unstarted(() -> {
                  worker.close();
                  afterwards.run();
                }));
    worker.start();
    worker.join();
  }
}
