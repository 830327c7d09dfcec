package io.kairos.bench.attack;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.bench.load.BenchWait;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * The client that an attack must not hurt: schedules small tasks, performs them, and reads by gRPC
 * and REST, with the client library as applications use it, and asks for the metrics without a
 * token. Threads of its own, until it is closed.
 */
final class NormalClient implements AutoCloseable {
  private static final String HANDLER = "attack-normal";
  private static final Duration PACE = Duration.ofMillis(25);
  private static final Duration SCRAPED_EVERY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final KairosClient client;
  private final Worker worker;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
  private final URI node;
  private final String token;
  private final List<Thread> threads = new ArrayList<>();
  private final Histogram micros = new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(10), 3);
  private final Set<TaskId> accepted = ConcurrentHashMap.newKeySet();
  private final Set<TaskId> performed = ConcurrentHashMap.newKeySet();
  private volatile TaskId last;
  private volatile boolean ended;

  @GuardedBy("this")
  private final List<String> failures = new ArrayList<>();

  /** A call of the normal client. */
  @FunctionalInterface
  private interface Call {
    void make() throws IOException, InterruptedException;
  }

  /** Begins to call, and returns when the first task is done. */
  NormalClient(String address, String token) {
    this.node = URI.create("http://" + address);
    this.token = token;
    this.client = KairosClient.builder(address).token(token).build();
    this.worker =
        Worker.builder(address)
            .token(token)
            .build()
            .handle(HANDLER, PayloadCodec.bytes(), (_, context) -> performed.add(context.taskId()));
    worker.start();
    last = client.schedule(task());
    repeat("schedule", this::schedule);
    repeat("get", () -> client.get(last));
    repeat("rest", () -> read("/v1/tasks/" + last));
    repeat("ready", () -> read("/readyz"));
    repeat("metrics", SCRAPED_EVERY, () -> read("/metrics", HttpRequest.newBuilder()));
  }

  private static TaskRequest task() {
    return TaskRequest.to(HANDLER).payload(new byte[256]).build();
  }

  private void repeat(String what, Call call) {
    repeat(what, PACE, call);
  }

  private void repeat(String what, Duration pace, Call call) {
    threads.add(
        Thread.ofPlatform()
            .name("bench-normal-" + what)
            .daemon()
            .start(() -> {
              while (!ended) {
                long began = System.nanoTime();
                try {
                  call.make();
                } catch (IOException | RuntimeException e) {
                  note(what + ": " + e);
                } catch (InterruptedException e) {
                  return;
                }
                micros.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began));
                BenchWait.pass(pace);
              }
            }));
  }

  private synchronized void note(String failure) {
    failures.add(failure);
  }

  private void schedule() {
    TaskId id = client.schedule(task());
    accepted.add(id);
    last = id;
  }

  private void read(String path) throws IOException, InterruptedException {
    read(path, HttpRequest.newBuilder().header("authorization", "Bearer " + token));
  }

  private void read(String path, HttpRequest.Builder ask) throws IOException, InterruptedException {
    HttpRequest request = ask.uri(node.resolve(path)).timeout(PATIENCE).build();
    int status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    if (status != 200) {
      throw new IOException(path + " was answered " + status);
    }
  }

  /** Forgets what it has measured. */
  synchronized void reset() {
    micros.reset();
    failures.clear();
  }

  /** One line for each call that failed. */
  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  /** Tasks that were accepted and are not performed within the given time. */
  long unperformed(Duration atMost) {
    Set<TaskId> asked = Set.copyOf(accepted);
    BenchWait.until(() -> performed.containsAll(asked), atMost, PACE);
    return asked.stream().filter(id -> !performed.contains(id)).count();
  }

  long calls() {
    return micros.getTotalCount();
  }

  Duration p99() {
    return Duration.of(micros.getValueAtPercentile(99), ChronoUnit.MICROS);
  }

  @Override
  public void close() {
    ended = true;
    worker.close();
    client.close();
    http.close();
  }
}
