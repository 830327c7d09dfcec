package io.kairos.bench.effect;

import static java.util.Objects.requireNonNullElse;

import io.kairos.bench.observe.JsonLines;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.cli.CliMain;
import io.kairos.client.handler.HandlerOptions;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a worker, or of an executor of a controller, whose tasks have effects. Works
 * until SIGTERM.
 */
public final class EffectWorkerMain {
  public static final String HANDLER = "bench-effects";

  private EffectWorkerMain() {}

  /**
   * Settings of a worker process.
   *
   * @param effects the log of effects
   * @param jdbcUrl for fenced effects as well; null for none
   * @param stubborn goes on when it is told to stop, and asks for the halt of its JVM then
   * @param nodes addresses; none when a controller says which
   */
  public record Settings(
      Path effects,
      int executors,
      boolean stubborn,
      @Nullable String jdbcUrl,
      List<String> nodes) {}

  /** Thread mode: one process with several executors. */
  public static BenchProcess start(Settings settings, Path log) {
    return BenchProcess.worker(EffectWorkerMain.class, settings, log);
  }

  /** Process mode: the shipped controller with so many executors of one thread each. */
  public static BenchProcess startController(Settings settings, Path log) {
    Settings each =
        new Settings(settings.effects, 1, settings.stubborn, settings.jdbcUrl, List.of());
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "worker",
                "--address",
                String.join(",", settings.nodes),
                "controller",
                "--handler",
                HANDLER,
                "--executors",
                Integer.toString(settings.executors),
                "--"));
    arguments.addAll(BenchProcess.childCommand(EffectWorkerMain.class, each));
    return BenchProcess.worker(CliMain.class, arguments, log);
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Settings settings = BenchProcess.settings(arguments, Settings.class);
    JsonLines<Effect> log = JsonLines.append(settings.effects);
    EffectHandler handler = new EffectHandler(log, settings.stubborn, settings.jdbcUrl);
    List<String> nodes = settings.nodes;
    String[] addresses =
        nodes.isEmpty()
            ? new String[] {requireNonNullElse(System.getenv("KAIROS_ADDRESS"), "")}
            : nodes.toArray(String[]::new);
    Worker.Builder builder = Worker.builder(addresses).concurrency(settings.executors);
    String name = System.getenv("KAIROS_WORKER");
    if (name != null) {
      builder.name(name);
    }
    HandlerOptions options = settings.stubborn ? HandlerOptions.HALT_JVM : HandlerOptions.DEFAULT;
    Worker worker = builder.build().handle(HANDLER, PayloadCodec.bytes(), handler, options);
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("bench-worker-stop").unstarted(worker::close));
    worker.start();
    worker.join();
  }
}
