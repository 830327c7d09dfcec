package io.kairos.bench.mixed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.mixed.MixedEvent.Kind;
import io.kairos.bench.rig.BenchRig;
import io.kairos.client.Idempotency;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.TransactionalTasks;
import io.kairos.client.task.RetryPolicy;
import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.time.EpochMicros;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Submits to all doors at a steady rate each. Every door has some callers, each of which waits for
 * its answer before its next submission, so that the tasks of a caller's key are asked for in
 * order. What an outage holds up is not made up for.
 */
final class MixedLoad implements AutoCloseable {
  static final String POOL = "bench-mixed";
  static final Duration BACKOFF = Duration.ofMillis(100);
  static final RetryPolicy SOON = RetryPolicy.attempts(100).backoff(BACKOFF, 1, BACKOFF);

  private static final int CALLERS = 8;
  private static final int MOST_DELAY_MILLIS = 5_000;
  private static final long MILLI = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration REMEMBERED = Duration.ofDays(1);

  private final BenchRig rig;
  private final List<String> nodes;
  private final MixedHistory history;
  private final KairosClient client;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
  private final KafkaProducer<String, String> producer;
  private final @Nullable Connection[] connections = new Connection[CALLERS];
  private final List<Thread> callers = new ArrayList<>();
  private volatile boolean stopped;

  /**
   * A submission.
   *
   * @param id its payload as well
   */
  private record Job(String id, int caller, long dueMicros) {
    Instant due() {
      return EpochMicros.toInstant(dueMicros);
    }
  }

  /** A way to submit. */
  @FunctionalInterface
  private interface Door {
    /** Returns true when the job was accepted, false when it was refused; throws when unknown. */
    boolean submit(Job job)
        throws IOException, SQLException, ExecutionException, InterruptedException;
  }

  /** Begins to submit. */
  MixedLoad(
      BenchRig rig, List<String> nodes, KairosClient client, MixedHistory history, double rate) {
    this.rig = rig;
    this.nodes = nodes;
    this.client = client;
    this.history = history;
    producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                rig.bootstrapServers(),
                "acks",
                "all",
                "reconnect.backoff.max.ms",
                500,
                "request.timeout.ms",
                5_000),
            new StringSerializer(),
            new StringSerializer());
    Map<String, Door> doors =
        Map.of(
            "message", job -> send(job, false),
            "record", job -> send(job, true),
            "grpc", job -> schedule(task(job).build()),
            "keyed", job -> schedule(task(job).key(key(job.caller)).build()),
            "topic", job -> schedule(message(job).build()),
            "pool",
                job ->
                    schedule(begin(TaskRequest.toPool(POOL, "/"), job).retryPolicy(SOON).build()),
            "rest", this::post,
            "sql", this::insert);
    doors.forEach((name, door) -> {
      for (int caller = 0; caller < CALLERS; caller++) {
        int own = caller;
        callers.add(Thread.ofVirtual().start(() -> call(name, door, own, rate)));
      }
    });
  }

  private void call(String name, Door door, int caller, double rate) {
    SplittableRandom random = new SplittableRandom();
    boolean keyed = name.equals("keyed");
    long period = Math.round(CALLERS * 1e6 / rate);
    long next = LoadClock.micros() + period * caller / CALLERS;
    for (long n = caller; ; n += CALLERS) {
      while (LoadClock.micros() < next) {
        LockSupport.parkNanos((next - LoadClock.micros()) * 1_000);
      }
      if (stopped) {
        return;
      }
      long delay = keyed ? 0 : random.nextInt(MOST_DELAY_MILLIS) * MILLI;
      long due = Math.ceilDiv(LoadClock.micros() + delay, MILLI) * MILLI;
      Job job = new Job(name + '/' + n, caller, due);
      history.write(MixedEvent.asked(Kind.INVOKED, job.id, due, keyed ? key(caller) : null));
      history.write(MixedEvent.of(submit(door, job), job.id));
      next = Math.max(next + period, LoadClock.micros());
    }
  }

  private static String key(int caller) {
    return "key-" + caller;
  }

  private static Kind submit(Door door, Job job) {
    try {
      return door.submit(job) ? Kind.ACKNOWLEDGED : Kind.REFUSED;
    } catch (IOException | SQLException | ExecutionException | RuntimeException e) {
      return Kind.UNCERTAIN;
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("an answer", e);
    }
  }

  private boolean schedule(TaskRequest request) {
    var _ = client.schedule(request);
    return true;
  }

  private static TaskRequest.Builder task(Job job) {
    return begin(TaskRequest.to(MixedWorkerMain.HANDLER), job);
  }

  /** A message is remembered until it is published. */
  private TaskRequest.Builder message(Job job) {
    return begin(TaskRequest.toTopic(rig.output()), job).idempotency(Idempotency.key(job.id));
  }

  private static TaskRequest.Builder begin(TaskRequest.Builder request, Job job) {
    return request
        .payload(job.id.getBytes(UTF_8))
        .runAt(job.due())
        .idempotency(Idempotency.key(job.id).forTime(REMEMBERED));
  }

  private boolean post(Job job) throws IOException, InterruptedException {
    String body =
        """
        {"handler": "%s", "payload": "%s", "runAt": "%s", "idempotency": {"key": "%s", "duration": "86400s"}}
        """
            .formatted(
                MixedWorkerMain.HANDLER,
                Base64.getEncoder().encodeToString(job.id.getBytes(UTF_8)),
                job.due(),
                job.id);
    String node = nodes.get(job.caller % nodes.size());
    int status =
        http.send(
                HttpRequest.newBuilder(URI.create("http://" + node + "/v1/tasks"))
                    .timeout(PATIENCE)
                    .header("content-type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build(),
                HttpResponse.BodyHandlers.discarding())
            .statusCode();
    if (status >= 500) {
      throw new IOException("answered " + status);
    }
    return status == 200;
  }

  /** An error before the commit ends the transaction, so that the task is not stored. */
  private boolean insert(Job job) throws SQLException {
    Connection connection = connections[job.caller];
    boolean committed = false;
    try {
      if (connection == null) {
        connection = DriverManager.getConnection(rig.databaseUrl());
        connection.setAutoCommit(false);
        connections[job.caller] = connection;
      }
      var _ = TransactionalTasks.schedule(connection, task(job).build());
    } catch (SQLException e) {
      drop(job.caller);
      return false;
    }
    try {
      connection.commit();
      committed = true;
    } finally {
      if (!committed) {
        drop(job.caller);
      }
    }
    return true;
  }

  private void drop(int caller) {
    Connection connection = connections[caller];
    connections[caller] = null;
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      // it was broken
    }
  }

  /** With the record's header for a handler, or to the route's output. */
  private boolean send(Job job, boolean toHandler) throws ExecutionException, InterruptedException {
    ProducerRecord<String, String> message = new ProducerRecord<>(rig.input(), job.id, job.id);
    message
        .headers()
        .add(ControlHeaders.ID, job.id.getBytes(UTF_8))
        .add(ControlHeaders.DUE_AT, Long.toString(job.dueMicros / MILLI).getBytes(UTF_8));
    if (toHandler) {
      message.headers().add(ControlHeaders.HANDLER, MixedWorkerMain.HANDLER.getBytes(UTF_8));
    }
    var _ = producer.send(message).get();
    return true;
  }

  /** Submits no more, and waits for the answers. */
  void stop() throws InterruptedException {
    stopped = true;
    BenchWait.forEndOf(callers);
  }

  @Override
  public void close() {
    stopped = true;
    producer.close(Duration.ZERO);
    http.shutdownNow();
    for (int caller = 0; caller < CALLERS; caller++) {
      drop(caller);
    }
  }
}
