package io.kairos.embedded;

import io.kairos.embedded.process.RunningProcess;
import io.kairos.embedded.process.WaitDeadline;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A running {@link ParentMain}. */
final class ParentProcess implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(15);

  private final Process process;
  private final List<Long> engines = new ArrayList<>();
  private final BufferedReader output;

  private ParentProcess(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  static ParentProcess start(
      Path directory, int postgresPort, int kafkaPort, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(OptionChecks.systemProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            OptionChecks.systemProperty("java.class.path"),
            ParentMain.class.getName(),
            directory.toString(),
            Integer.toString(postgresPort),
            Integer.toString(kafkaPort));
    builder.environment().putAll(environment);
    return new ParentProcess(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** The process id in the line of this engine, which must be the next. */
  long awaitPid(String engine) throws IOException {
    String line = nextLine();
    if (!line.startsWith(engine + " ")) {
      throw new IOException("expected the process id of " + engine + ", but got: " + line);
    }
    long pid = Long.parseLong(line.substring(engine.length() + 1));
    engines.add(pid);
    return pid;
  }

  String nextLine() throws IOException {
    String line = output.readLine();
    return line == null ? "" : line;
  }

  /** SIGKILL; its engines are not asked. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Returns when the engines are gone too, so that their directory can be deleted. */
  @Override
  public void close() {
    try {
      kill();
      for (long engine : engines) {
        if (!endsSoon(engine)) {
          throw new IllegalStateException("process " + engine + " outlives its parent");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static boolean endsSoon(long pid) throws InterruptedException {
    return WaitDeadline.in(SOON)
        .await(() ->
            ProcessHandle.of(pid)
                .map(RunningProcess::new)
                .filter(RunningProcess::isRunning)
                .isEmpty());
  }
}
