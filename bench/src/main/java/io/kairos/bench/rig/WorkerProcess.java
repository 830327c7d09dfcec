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
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                requireNonNull(System.getProperty("java.class.path")),
                main.getName()));
    command.addAll(arguments);
    return new WorkerProcess(
        Children.start(command, Map.of("JAVA_TOOL_OPTIONS", "", "JDK_JAVA_OPTIONS", ""), log));
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
