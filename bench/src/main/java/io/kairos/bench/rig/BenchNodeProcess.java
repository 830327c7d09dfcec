package io.kairos.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.measure.FileLines;
import io.kairos.bench.measure.NodeMetrics;
import io.kairos.embedded.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A node as users run it: the packaged server in its own process. Used by one thread at a time. */
public final class BenchNodeProcess extends BenchProcess {
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
  private static final int LOG_LINES_SHOWN = 15;
  private static final int ENDED_BY_TERM = 128 + 15;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final String ID = "node=\"";

  private final URI http;
  private final Path log;
  private final Path gcLog;

  /**
   * Starts a process; {@link #awaitReady} tells when it is of use.
   *
   * @param http where its {@code /readyz} and {@code /metrics} are
   */
  BenchNodeProcess(
      String name,
      List<String> command,
      Map<String, String> environment,
      URI http,
      Path log,
      Path gcLog) {
    super(name, ChildProcess::start, command, environment, log);
    this.http = http;
    this.log = log;
    this.gcLog = gcLog;
  }

  /** {@code host:port} of its HTTP and gRPC edge, or its URL when it speaks TLS. */
  public String address() {
    return "https".equals(http.getScheme()) ? http.toString() : requireNonNull(http.getAuthority());
  }

  public int port() {
    return http.getPort();
  }

  /** The id under which the node acts: the last one that it says in its log. */
  public UUID nodeId() {
    return logLines().reversed().stream()
        .filter(line -> line.contains(" enrolled: "))
        .map(line -> line.substring(line.indexOf(ID) + ID.length()))
        .map(id -> UUID.fromString(id.substring(0, id.indexOf('"'))))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(name() + " has not enrolled yet"));
  }

  public Path gcLog() {
    return gcLog;
  }

  /**
   * Waits until the node says that it is ready, and fails with the end of its log when it ends
   * instead.
   */
  public void awaitReady(Duration atMost) {
    boolean ready = BenchWait.until(() -> !isRunning() || isReady(), atMost, LOOK_EVERY);
    if (!isRunning()) {
      throw new IllegalStateException(name() + " ended while it was starting:\n" + endOfLog());
    }
    if (!ready) {
      throw new IllegalStateException(
          name() + " was not ready within " + atMost.toSeconds() + " s:\n" + endOfLog());
    }
  }

  /** True when the node is ready, with its delay queue if it has one. */
  public boolean isReady() {
    if (!answers("/readyz")) {
      return false;
    }
    int delay = NodeMetrics.status(http.resolve("/readyz?door=delay"));
    return delay == OK || delay == NOT_FOUND;
  }

  /** True when the node answers a request for this path with 200. */
  public boolean answers(String path) {
    return NodeMetrics.status(http.resolve(path)) == OK;
  }

  public NodeMetrics metrics() {
    try {
      return NodeMetrics.scrape(http.resolve("/metrics"));
    } catch (IOException e) {
      throw new UncheckedIOException(name() + " does not tell its metrics", e);
    }
  }

  /**
   * SIGTERM. Returns how long it took.
   *
   * @throws IllegalStateException when the process does not end by itself or ends with an error
   */
  @Override
  public Duration stop() {
    long began = System.nanoTime();
    if (!terminate(STOP_PATIENCE)) {
      throw new IllegalStateException(
          name() + " did not stop within " + STOP_PATIENCE.toSeconds() + " s:\n" + endOfLog());
    }
    // A JVM that a signal ended says so in its exit code, however orderly it left.
    int code = process().exitValue();
    if (code != 0 && code != ENDED_BY_TERM) {
      throw new IllegalStateException(name() + " ended with code " + code + ":\n" + endOfLog());
    }
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** Lines of stack traces in its log. */
  public long stackTraces() {
    return logLines().stream().filter(line -> line.startsWith("\tat ")).count();
  }

  private List<String> logLines() {
    return FileLines.of(log, UTF_8);
  }

  private String endOfLog() {
    List<String> lines = logLines();
    return String.join(
        "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
  }
}
