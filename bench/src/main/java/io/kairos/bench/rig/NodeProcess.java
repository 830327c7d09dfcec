package io.kairos.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.bench.measure.NodeMetrics;
import io.kairos.bench.measure.ProcessorTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A node as its users run it: the packaged server in a process of its own. Used by one thread at a
 * time.
 */
public final class NodeProcess implements AutoCloseable {
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
  private static final int LOG_LINES_SHOWN = 15;
  private static final String ID = "node=\"";

  private final String name;
  private final Process process;
  private final URI http;
  private final Path log;
  private final Path gcLog;

  private NodeProcess(String name, Process process, URI http, Path log, Path gcLog) {
    this.name = name;
    this.process = process;
    this.http = http;
    this.log = log;
    this.gcLog = gcLog;
  }

  /**
   * Starts a process; {@link #awaitReady} tells when it is of use.
   *
   * @param http where its {@code /readyz} and {@code /metrics} are
   */
  static NodeProcess start(
      String name,
      List<String> command,
      Map<String, String> environment,
      URI http,
      Path log,
      Path gcLog) {
    return new NodeProcess(name, Children.start(command, environment, log), http, log, gcLog);
  }

  public String name() {
    return name;
  }

  /** {@code host:port} of its HTTP and gRPC edge. */
  public String address() {
    return requireNonNull(http.getAuthority());
  }

  int port() {
    return http.getPort();
  }

  public long pid() {
    return process.pid();
  }

  /** The id under which the node acts: the last one that it says in its log. */
  public UUID nodeId() {
    return logLines().reversed().stream()
        .filter(line -> line.contains(" enrolled: "))
        .map(line -> line.substring(line.indexOf(ID) + ID.length()))
        .map(id -> UUID.fromString(id.substring(0, id.indexOf('"'))))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(name + " has not enrolled yet"));
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  public Path gcLog() {
    return gcLog;
  }

  public Duration processorTime() {
    return ProcessorTime.ofTree(process.pid());
  }

  /**
   * Waits until the node says that it is ready, and fails with the end of its log when it ends
   * instead.
   */
  public void awaitReady(Duration atMost) {
    long until = System.nanoTime() + atMost.toNanos();
    try (HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build()) {
      while (!isReady(client)) {
        if (!process.isAlive()) {
          throw new IllegalStateException(name + " ended while it was starting:\n" + endOfLog());
        }
        if (System.nanoTime() - until > 0) {
          throw new IllegalStateException(
              name + " was not ready within " + atMost.toSeconds() + " s:\n" + endOfLog());
        }
        LockSupport.parkNanos(LOOK_EVERY.toNanos());
      }
    }
  }

  private boolean isReady(HttpClient client) {
    try {
      return client
              .send(
                  HttpRequest.newBuilder(http.resolve("/readyz"))
                      .timeout(Duration.ofSeconds(2))
                      .build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + name, e);
    }
  }

  public NodeMetrics metrics() throws IOException {
    return NodeMetrics.scrape(http.resolve("/metrics"));
  }

  /** SIGKILL: no farewell. Returns when the process is gone. */
  public void kill() {
    process.destroyForcibly();
    await(STOP_PATIENCE);
  }

  /** SIGSTOP: the process stands still, its connections stay open. */
  public void pause() {
    Standstill.begin(pid());
  }

  /** Undoes {@link #pause}. */
  public void resume() {
    Standstill.end(pid());
  }

  /**
   * SIGTERM. Returns how long it took.
   *
   * @throws IllegalStateException when the process does not end by itself or ends with an error
   */
  public Duration stop() {
    long began = System.nanoTime();
    process.destroy();
    if (!await(STOP_PATIENCE)) {
      kill();
      throw new IllegalStateException(
          name + " did not stop within " + STOP_PATIENCE.toSeconds() + " s:\n" + endOfLog());
    }
    // A JVM that a signal ended says so in its exit code, however orderly it left.
    if (process.exitValue() != 0 && process.exitValue() != 143) {
      throw new IllegalStateException(
          name + " ended with code " + process.exitValue() + ":\n" + endOfLog());
    }
    return Duration.ofNanos(System.nanoTime() - began);
  }

  private boolean await(Duration atMost) {
    try {
      return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the end of " + name, e);
    }
  }

  /** What the node has written; for its id, and for what went wrong. */
  public List<String> logLines() {
    try {
      return Files.readAllLines(log, UTF_8);
    } catch (IOException e) {
      return List.of();
    }
  }

  private String endOfLog() {
    List<String> lines = logLines();
    return String.join(
        "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
  }

  /** Ends it in whatever state it is. */
  @Override
  public void close() {
    if (process.isAlive()) {
      process.destroyForcibly();
      await(STOP_PATIENCE);
    }
  }
}
