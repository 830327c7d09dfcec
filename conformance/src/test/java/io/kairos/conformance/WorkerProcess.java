package io.kairos.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process of the worker that is judged. It is killed at the end of its case. */
final class WorkerProcess implements AutoCloseable {
  private final Process process;
  private final Path log;

  private WorkerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * @param given the environment that the kit documents
   */
  static WorkerProcess start(Subject subject, Map<String, String> given, Path log)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(subject.command())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(subject.environment());
    builder.environment().putAll(given);
    return new WorkerProcess(builder.start(), log);
  }

  /** Sends a signal, such as STOP, to this process alone. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
    assertThat(kill.waitFor()).as("kill -%s", name).isZero();
  }

  void awaitExit(long seconds) throws InterruptedException {
    assertThat(process.waitFor(seconds, TimeUnit.SECONDS))
        .as(() -> "the worker ends within " + seconds + " s after SIGTERM; " + said())
        .isTrue();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  String said() {
    try {
      return "the worker said:\n" + Files.readString(log, UTF_8);
    } catch (IOException e) {
      return "the worker's log cannot be read: " + e;
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
