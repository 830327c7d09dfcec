package io.kairos.bench.rig;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.measure.ProcessorTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A worker in a process of its own, of a main class of this bench. SIGTERM lets it end in an
 * orderly way. Used by one thread at a time.
 */
public final class WorkerProcess implements AutoCloseable {
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

  private final Process process;

  private WorkerProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param log takes what it prints
   */
  public static WorkerProcess start(Class<?> main, List<String> arguments, Path log) {
    return new WorkerProcess(
        Children.start(
            command(List.of("-Xmx512m"), main, arguments),
            Map.of("JAVA_TOOL_OPTIONS", "", "JDK_JAVA_OPTIONS", ""),
            log));
  }

  /** The command of a small one that another process starts, and that does not outlive that. */
  public static List<String> childCommand(Class<?> main, List<String> arguments) {
    return Children.dyingWithParent(
        command(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"), main, arguments));
  }

  static List<String> command(List<String> options, Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            requireNonNull(System.getProperty("java.class.path")),
            main.getName()));
    command.addAll(arguments);
    return command;
  }

  public long pid() {
    return process.pid();
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  public Duration processorTime() {
    return ProcessorTime.ofTree(process.pid());
  }

  /** SIGKILL. */
  public void kill() {
    process.destroyForcibly();
    await();
  }

  /** SIGTERM, and waits; SIGKILL when that takes too long. */
  public void stop() {
    process.destroy();
    if (!await()) {
      kill();
    }
  }

  private boolean await() {
    try {
      return process.waitFor(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the end of a worker", e);
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }
}
