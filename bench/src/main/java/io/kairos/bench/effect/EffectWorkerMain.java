package io.kairos.bench.effect;

import static java.util.Objects.requireNonNullElse;

import io.kairos.bench.rig.BenchProcess;
import io.kairos.cli.CliMain;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The main class of a worker, or of an executor of a controller, whose tasks have effects. Works
 * until SIGTERM.
 */
public final class EffectWorkerMain {
  public static final String HANDLER = "bench-effects";

  private static final String NONE = "-";

  private EffectWorkerMain() {}

  /**
   * Settings of a worker process.
   *
   * @param effects the log of effects
   * @param jdbcUrl for fenced effects as well; empty for none
   * @param stubborn goes on when it is told to stop
   */
  public record Settings(
      Path effects, int executors, boolean stubborn, String jdbcUrl, List<String> nodes) {
    private List<String> arguments() {
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  effects.toString(),
                  Integer.toString(executors),
                  Boolean.toString(stubborn),
                  jdbcUrl.isEmpty() ? NONE : jdbcUrl));
      arguments.addAll(nodes);
      return arguments;
    }
  }

  /** Thread mode: one process with several executors. */
  public static BenchProcess start(Settings settings, Path log) {
    return BenchProcess.worker(EffectWorkerMain.class, settings.arguments(), log);
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
    arguments.addAll(BenchProcess.childCommand(EffectWorkerMain.class, each.arguments()));
    return BenchProcess.worker(CliMain.class, arguments, log);
  }

  /**
   * The main method.
   *
   * @param arguments log, executors, whether stubborn, URL of a database or {@code -}, then
   *     addresses; without any that of the controller
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    System.setProperty("logback.configurationFile", "io/kairos/bench/bench-logback.xml");
    EffectLog log = EffectLog.append(Path.of(arguments[0]));
    EffectHandler handler =
        new EffectHandler(
            log,
            Boolean.parseBoolean(arguments[2]),
            arguments[3].equals(NONE) ? null : arguments[3]);
    List<String> nodes = List.of(arguments).subList(4, arguments.length);
    String[] addresses =
        nodes.isEmpty()
            ? new String[] {requireNonNullElse(System.getenv("KAIROS_ADDRESS"), "")}
            : nodes.toArray(String[]::new);
    Worker.Builder builder = Worker.builder(addresses).concurrency(Integer.parseInt(arguments[1]));
    String name = System.getenv("KAIROS_WORKER");
    if (name != null) {
      builder.name(name);
    }
    Worker worker = builder.build().handle(HANDLER, PayloadCodec.bytes(), handler);
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("bench-worker-stop").unstarted(worker::close));
    worker.start();
    worker.join();
  }
}
