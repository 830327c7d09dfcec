package io.kairos.push;

import static io.kairos.push.Pushing.POOL;
import static io.kairos.push.Pushing.pool;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import io.kairos.api.push.PushHeaders;
import io.kairos.api.push.SigningSecret;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.EndpointEjection;
import io.kairos.domain.pool.EndpointRouting;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.pool.EndpointView;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.port.HeartbeatFinding;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pushing to real HTTP servers. */
@Timeout(120)
class PushNodeTest {
  private static final PushRequest HELLO =
      PushRequest.post("hello".getBytes(StandardCharsets.UTF_8));

  private final Pushing pushing = new Pushing();
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void close() {
    never.countDown();
    pushing.close();
  }

  /** A port that refuses connections. */
  private static WorkerServer dead() throws IOException {
    WorkerServer gone = WorkerServer.answering(200);
    gone.close();
    return gone;
  }

  private static Pool with(
      Pool pool, EndpointRouting routing, EndpointEjection ejection, Duration timeout) {
    return with(pool, routing, ejection, null, timeout, pool.maxInFlight());
  }

  private static Pool with(
      Pool pool,
      EndpointRouting routing,
      EndpointEjection ejection,
      @Nullable String healthPath,
      Duration timeout,
      int maxInFlight) {
    return new Pool(
        pool.name(),
        pool.endpoints(),
        routing,
        ejection,
        healthPath,
        timeout,
        pool.completionTimeout(),
        pool.answersLater(),
        maxInFlight,
        pool.tls());
  }

  private static HttpHandler answering(String type, byte[] body) {
    return exchange -> {
      exchange.getResponseHeaders().set("content-type", type);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    };
  }

  @Test
  void a_success_whose_body_breaks_off_has_no_result() throws Exception {
    HttpHandler half =
        exchange -> {
          exchange.getResponseHeaders().set("content-type", "application/json");
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write("{\"half\": ".getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
        };
    try (WorkerServer worker = new WorkerServer(half)) {
      pushing.create(pool(worker));

      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());
    }
  }

  @Test
  void the_body_of_a_success_is_the_result_with_its_content_type() throws Exception {
    byte[] image = {0, -1, 7};
    try (WorkerServer worker = new WorkerServer(answering("image/png", image))) {
      pushing.create(pool(worker));

      assertThat(pushing.push(HELLO))
          .isEqualTo(new AttemptOutcome.Succeeded(new TaskResult(image, "image/png")));

      byte[] largest = new byte[TaskResult.MOST_BYTES];
      worker.now(answering("a/b", largest));
      assertThat(pushing.push(HELLO))
          .isEqualTo(new AttemptOutcome.Succeeded(new TaskResult(largest, "a/b")));
    }
  }

  @Test
  void a_body_that_is_larger_than_a_result_may_be_leaves_a_success_without_one() throws Exception {
    byte[] larger = new byte[TaskResult.MOST_BYTES + 1];
    try (WorkerServer worker = new WorkerServer(answering("a/b", larger))) {
      pushing.create(pool(worker));

      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());
    }
  }

  @Test
  void a_pool_that_cannot_be_read_is_told_once_and_its_tasks_wait() throws Exception {
    try (WorkerServer worker = WorkerServer.answering(204)) {
      pushing.create(pool(worker));
      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());

      pushing.unreadable.add(POOL);
      pushing.until(() -> pushing.node.known().isEmpty());
      int looks = pushing.looks.get();
      pushing.until(() -> {
        pushing.node.poolsChanged();
        return pushing.looks.get() > looks + 2;
      });
      assertThat(pushing.events).containsOnlyOnce("unreadable jobs");

      pushing.unreadable.clear();
      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());
    }
  }

  @Test // TW-9
  void ph26_a_task_is_sent_signed_and_ends_with_the_answer() throws Exception {
    try (WorkerServer worker = WorkerServer.answering(204)) {
      pushing.create(pool(worker));
      TaskId id =
          pushing.tasks.give(
              POOL,
              new PushRequest(
                  "PUT",
                  "/orders/7?x=1",
                  List.of(new MessageHeader("x-shop", "eu".getBytes(StandardCharsets.US_ASCII))),
                  HELLO.body(),
                  new PushRequest.Fire("nightly", 1_772_366_400_000_000L)),
              3,
              null);

      assertThat(pushing.tasks.outcome()).isEqualTo(new AttemptOutcome.Succeeded());

      WorkerServer.Got got = worker.got().getFirst();
      assertThat(got.method()).isEqualTo("PUT");
      assertThat(got.path()).isEqualTo("/orders/7?x=1");
      assertThat(got.body()).isEqualTo(HELLO.body());
      assertThat(got.header("x-shop")).isEqualTo("eu");
      assertThat(got.header(PushHeaders.ID)).isEqualTo(id.toString());
      assertThat(got.header(PushHeaders.EXECUTION_ID)).isEqualTo(id.toString());
      assertThat(got.header(PushHeaders.ATTEMPT)).isEqualTo("3");
      assertThat(got.header(PushHeaders.FENCE)).isEqualTo("3");
      assertThat(got.header(PushHeaders.SCHEDULE)).isEqualTo("nightly");
      assertThat(got.header(PushHeaders.FIRE_TIME)).isEqualTo("2026-03-01T12:00:00Z");
      assertThat(got.header("traceparent")).startsWith("00-4bf9");
      assertThat(got.header("host")).isEqualTo("127.0.0.1:" + worker.port());
      assertThat(pushing.node.tokens().read(got.header(PushHeaders.TOKEN)))
          .contains(new FencedTask(id, 3));
      assertThat(
              SigningSecret.ofBytes(Pushing.KEY)
                  .hasSigned(
                      got.header(PushHeaders.SIGNATURE),
                      id.toString(),
                      Long.parseLong(got.header(PushHeaders.TIMESTAMP)),
                      got.body()))
          .isTrue();
    }
  }

  @Test
  void a_fault_of_tracing_changes_nothing_about_a_push() throws Exception {
    try (WorkerServer worker = WorkerServer.answering(204)) {
      pushing.create(pool(worker));
      pushing.spans =
          (_, _, _, _, _) -> {
            throw new IllegalStateException("no span");
          };
      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());

      pushing.spans = (_, _, _, caller, _) -> new Endless(caller);
      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());

      assertThat(worker.got()).hasSize(2);
      pushing.until(() -> pushing.node.inFlight() == 0);
    }
  }

  /** A span that cannot be ended. */
  private record Endless(TraceContext context) implements PushSpans.PushSpan {
    @Override
    public void ended(int status, String error, long untilMicros) {
      throw new IllegalStateException("no end");
    }
  }

  @Test
  void a_request_that_cannot_be_written_ends_its_attempt_and_frees_its_place() throws Exception {
    try (WorkerServer worker = WorkerServer.answering(200)) {
      pushing.create(
          with(
              pool(worker),
              pool(worker).routing(),
              pool(worker).ejection(),
              null,
              pool(worker).requestTimeout(),
              1));

      AttemptOutcome hostile =
          pushing.push(HELLO.firedBy(new PushRequest.Fire("a\r\nhost: elsewhere", 1)));

      assertThat(hostile).isInstanceOf(AttemptOutcome.Failed.class);
      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());
      assertThat(worker.got()).hasSize(1);
    }
  }

  @Test
  void while_keys_are_rotated_requests_are_signed_with_both() throws Exception {
    byte[] other = new byte[24];
    try (WorkerServer worker = WorkerServer.answering(200)) {
      pushing.pools.create(pool(worker), Pushing.KEY);
      pushing.pools.rotate(POOL, other, Duration.ofHours(1));
      pushing.node.poolsChanged();
      TaskId id = pushing.tasks.give(POOL, HELLO, 1, null);
      pushing.tasks.outcome();

      WorkerServer.Got got = worker.got().getFirst();
      String signatures = got.header(PushHeaders.SIGNATURE);
      long at = Long.parseLong(got.header(PushHeaders.TIMESTAMP));
      assertThat(signatures.split(" ")).hasSize(2);
      for (byte[] key : List.of(Pushing.KEY, other)) {
        assertThat(SigningSecret.ofBytes(key).hasSigned(signatures, id.toString(), at, got.body()))
            .isTrue();
      }
    }
  }

  @Test // PH-32, CH-L4
  void ph30_what_cannot_be_sent_goes_to_the_next_endpoint_at_once_under_the_same_id()
      throws Exception {
    try (WorkerServer gone = dead();
        WorkerServer worker = WorkerServer.answering(200)) {
      pushing.create(pool(gone, worker));
      Set<String> ids = new HashSet<>();
      for (int i = 0; i < 10; i++) {
        ids.add(pushing.tasks.give(POOL, HELLO, 1, null).toString());
      }
      for (int i = 0; i < 10; i++) {
        assertThat(pushing.tasks.outcome()).isEqualTo(new AttemptOutcome.Succeeded());
      }

      assertThat(worker.got())
          .extracting(got -> got.header(PushHeaders.EXECUTION_ID))
          .containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  @Test
  void ph31_what_was_sent_and_not_answered_is_unknown_and_tried_elsewhere() throws Exception {
    try (WorkerServer hangs = new WorkerServer(_ -> hang());
        WorkerServer alsoHangs = new WorkerServer(_ -> hang())) {
      pushing.create(
          with(
              pool(hangs, alsoHangs),
              EndpointRouting.STICKY,
              EndpointEjection.DEFAULT,
              Duration.ofSeconds(3)));
      TaskId id = pushing.tasks.give(POOL, HELLO, 1, "key");

      assertThat(pushing.tasks.outcome())
          .isInstanceOfSatisfying(
              AttemptOutcome.RetryAfter.class,
              again -> {
                assertThat(again.delay()).isZero();
                assertThat(again.error()).contains("it may have been done");
                assertThat(again.errorClass()).isEqualTo("no answer");
              });

      // The next attempt of the same task prefers the other, although its key sticks to the first.
      pushing.until(() -> hangs.got().size() + alsoHangs.got().size() == 1);
      WorkerServer first = hangs.got().isEmpty() ? alsoHangs : hangs;
      WorkerServer second = first == hangs ? alsoHangs : hangs;
      second.now(exchange -> exchange.sendResponseHeaders(200, -1));
      pushing.tasks.give(again(id, 2, "key"));
      assertThat(pushing.tasks.outcome()).isEqualTo(new AttemptOutcome.Succeeded());
      assertThat(second.got()).hasSize(1);
      assertThat(second.got().getFirst().header(PushHeaders.ID)).isEqualTo(id.toString());
    }
  }

  private static ClaimedTask again(TaskId id, int attempt, String key) {
    return new ClaimedTask(
        new FencedTask(id, attempt),
        new QueueName(POOL, 50),
        attempt,
        0,
        TaskDetails.of(HELLO.encode()).withKey(new OrderingKey(key)));
  }

  /** Answers nothing until the test ends, or lets it go on. */
  private void hang() throws IOException {
    try {
      never.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private WorkerServer hanging(CountDownLatch arrived) throws IOException {
    return new WorkerServer(_ -> {
      arrived.countDown();
      hang();
    });
  }

  @Test // PH-F3
  void ph29_an_endpoint_that_fails_is_left_out_and_comes_back() throws Exception {
    try (WorkerServer ill = WorkerServer.answering(500);
        WorkerServer well = WorkerServer.answering(200)) {
      pushing.create(
          with(
              pool(ill, well),
              EndpointRouting.RANDOM,
              new EndpointEjection(2, Duration.ofMillis(200), Duration.ZERO),
              Duration.ofSeconds(5)));
      for (int i = 0; i < 1_000 && ill.got().size() < 2; i++) {
        pushing.push(HELLO);
      }
      assertThat(pushing.events).anyMatch(event -> event.startsWith("ejected " + ill.url()));
      assertThat(pushing.node.takeDetails().endpoints().values())
          .anyMatch(work -> work.ejections() == 1);
      ill.now(exchange -> exchange.sendResponseHeaders(200, -1));
      int before = ill.got().size();

      while (ill.got().size() == before) {
        assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());
      }
      assertThat(pushing.node.endpoints(POOL)).hasSize(2);
    }
  }

  @Test
  void when_nobody_can_be_asked_nothing_is_asked_for() throws Exception {
    try (WorkerServer ill = WorkerServer.answering(500)) {
      pushing.create(
          with(
              pool(ill),
              EndpointRouting.RANDOM,
              new EndpointEjection(1, Duration.ofHours(1), Duration.ZERO),
              Duration.ofSeconds(5)));
      assertThat(pushing.push(HELLO))
          .isEqualTo(new AttemptOutcome.RetryLater("HTTP 500", "HTTP 500"));

      pushing.until(() -> !pushing.tasks.isAsked());
      pushing.tasks.give(POOL, HELLO, 1, null);
      assertThat(ill.got()).hasSize(1);
    }
  }

  @Test
  void answers_mean_what_they_say() throws Exception {
    try (WorkerServer worker = WorkerServer.answering(200)) {
      pushing.create(pool(worker));
      worker.now(exchange -> {
        exchange.getResponseHeaders().set("retry-after", "7");
        exchange.sendResponseHeaders(503, -1);
      });
      assertThat(pushing.push(HELLO))
          .isEqualTo(new AttemptOutcome.RetryAfter("HTTP 503", "HTTP 503", Duration.ofSeconds(7)));

      worker.now(exchange -> {
        exchange.getResponseHeaders().set("retry-after", "2");
        byte[] body = "slow down".getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(429, body.length);
        exchange.getResponseBody().write(body);
      });
      assertThat(pushing.push(HELLO))
          .isEqualTo(
              new AttemptOutcome.RetryAfter(
                  "HTTP 429: slow down", "HTTP 429", Duration.ofSeconds(2)));

      worker.now(exchange -> {
        exchange.getResponseHeaders().set("retry-after", "9");
        exchange.getResponseHeaders().set(PushHeaders.COMPLETION, PushHeaders.SNOOZE);
        exchange.sendResponseHeaders(503, -1);
      });
      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Snoozed(Duration.ofSeconds(9)));

      worker.now(exchange -> exchange.sendResponseHeaders(410, -1));
      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Failed("HTTP 410", "HTTP 410"));
    }
  }

  @Test
  void a_redirection_is_a_failure_and_is_not_followed() throws Exception {
    try (WorkerServer secret = WorkerServer.answering(200);
        WorkerServer worker = WorkerServer.answering(200)) {
      worker.now(exchange -> {
        exchange.getResponseHeaders().set("location", secret.url());
        exchange.sendResponseHeaders(307, -1);
      });
      pushing.create(pool(worker));
      assertThat(pushing.push(HELLO))
          .isEqualTo(new AttemptOutcome.RetryLater("HTTP 307", "HTTP 307"));
      assertThat(secret.got()).isEmpty();
    }
  }

  @Test
  void an_endless_answer_is_read_in_part() throws Exception {
    try (WorkerServer worker =
        new WorkerServer(exchange -> {
          exchange.sendResponseHeaders(500, 0);
          byte[] much = "x".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
          for (int i = 0; i < 16_384; i++) {
            exchange.getResponseBody().write(much);
          }
        })) {
      pushing.create(pool(worker));
      assertThat(pushing.push(HELLO))
          .isInstanceOfSatisfying(
              AttemptOutcome.RetryLater.class,
              later ->
                  assertThat(later.error()).startsWith("HTTP 500: xxx").hasSizeLessThan(2_100));
    }
  }

  @Test
  void what_answers_202_and_later_gets_a_long_lease_and_no_heartbeats() throws Exception {
    try (WorkerServer worker =
        new WorkerServer(exchange -> {
          exchange.getResponseHeaders().set(PushHeaders.COMPLETION, PushHeaders.LATER);
          exchange.sendResponseHeaders(202, -1);
        })) {
      pushing.create(pool(worker));
      pushing.tasks.give(POOL, HELLO, 1, null);

      assertThat(pushing.tasks.longLease()).isEqualTo(Pool.DEFAULT_COMPLETION_TIMEOUT);
      pushing.until(() -> pushing.node.inFlight() == 0);
      worker.now(_ -> hang());
      TaskId other = pushing.tasks.give(POOL, HELLO, 1, null);
      assertThat(pushing.tasks.beatsWith(other)).containsExactly(new FencedTask(other, 1));
      never.countDown();
    }
  }

  @Test
  void a_cancelled_task_is_broken_off() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    try (WorkerServer worker = hanging(arrived)) {
      pushing.create(pool(worker));
      TaskId id = pushing.tasks.give(POOL, HELLO, 1, null);
      arrived.await();
      pushing.tasks.verdicts.put(new FencedTask(id, 1), HeartbeatFinding.CANCEL_REQUESTED);

      AttemptReport report = pushing.tasks.report();

      assertThat(report)
          .isEqualTo(new AttemptReport(new FencedTask(id, 1), new AttemptOutcome.Cancelled()));
    }
  }

  @Test
  void what_is_somebody_elses_by_now_is_broken_off_and_nothing_is_said_of_it() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    try (WorkerServer worker = hanging(arrived)) {
      pushing.create(pool(worker));
      TaskId id = pushing.tasks.give(POOL, HELLO, 1, null);
      arrived.await();
      pushing.tasks.verdicts.put(new FencedTask(id, 1), HeartbeatFinding.LOST);
      pushing.until(() -> pushing.node.inFlight() == 0);

      worker.now(exchange -> exchange.sendResponseHeaders(200, -1));
      TaskId next = pushing.tasks.give(POOL, HELLO, 1, null);
      assertThat(pushing.tasks.report().task().id()).isEqualTo(next);
    }
  }

  @Test
  void a_pool_takes_no_more_than_it_may_have_under_way() throws Exception {
    try (WorkerServer worker =
        new WorkerServer(exchange -> {
          hang();
          exchange.sendResponseHeaders(200, -1);
        })) {
      Pool pool = pool(worker);
      pushing.create(with(pool, pool.routing(), pool.ejection(), null, pool.requestTimeout(), 2));
      for (int i = 0; i < 5; i++) {
        pushing.tasks.give(POOL, HELLO, 1, null);
      }
      pushing.until(() -> worker.got().size() >= 2);
      assertThat(pushing.node.inFlight()).isEqualTo(2);

      never.countDown();
      for (int i = 0; i < 5; i++) {
        assertThat(pushing.tasks.outcome()).isEqualTo(new AttemptOutcome.Succeeded());
      }
    }
  }

  @Test
  void a_payload_that_is_no_request_fails_for_good() throws Exception {
    try (WorkerServer worker = WorkerServer.answering(200)) {
      pushing.create(pool(worker));
      pushing.tasks.give(
          new ClaimedTask(
              new FencedTask(new TaskId(new UUID(1, 1)), 1),
              new QueueName(POOL, 50),
              1,
              0,
              TaskDetails.of(new byte[] {9})));

      assertThat(pushing.tasks.outcome()).isInstanceOf(AttemptOutcome.Failed.class);
    }
  }

  @Test
  void ph29_an_endpoint_that_says_it_is_unwell_gets_nothing() throws Exception {
    try (WorkerServer unwell =
            new WorkerServer(exchange ->
                exchange.sendResponseHeaders(
                    "/health".equals(exchange.getRequestURI().getPath()) ? 503 : 200, -1));
        WorkerServer well = WorkerServer.answering(200)) {
      Pool pool = pool(unwell, well);
      pushing.create(
          with(
              pool,
              EndpointRouting.RANDOM,
              pool.ejection(),
              "/health",
              pool.requestTimeout(),
              100));
      for (int i = 0; i < 10; i++) {
        assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());
      }

      assertThat(unwell.got()).allMatch(got -> got.path().equals("/health"));
      assertThat(pushing.node.endpoints(POOL))
          .contains(
              new EndpointView(
                  unwell.url() + " 127.0.0.1", false, "it does not say that it is well"));
    }
  }

  @Test
  void a_connection_that_is_cut_before_the_answer_is_unknown() throws Exception {
    try (ServerSocket cuts = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread cutting =
          Thread.ofVirtual()
              .start(() -> {
                try (Socket socket = cuts.accept()) {
                  socket.getInputStream().read();
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      pushing.create(
          Pool.of(
              POOL,
              new Pool.Endpoints.Listed(
                  List.of(EndpointUrl.of("http://127.0.0.1:" + cuts.getLocalPort())))));
      assertThat(pushing.push(HELLO))
          .isInstanceOfSatisfying(
              AttemptOutcome.RetryLater.class,
              later -> assertThat(later.error()).contains("it may have been done"));
      cutting.join();
      assertThat(pushing.events).contains("unknown");
    }
  }
}
