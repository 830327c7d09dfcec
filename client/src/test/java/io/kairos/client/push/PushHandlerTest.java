package io.kairos.client.push;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.kairos.api.push.PushHeaders;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;
import io.kairos.client.time.ManualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PushHandlerTest {
  private static final int MOST_BYTES = 100;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch blocked = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private HttpServer server;
  private URI address;

  PushHandlerTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/jobs");
  }

  @BeforeEach
  void start() {
    server.createContext(
        "/jobs",
        new PushHandler(
            WebhookVerifier.of(new ManualTime(), Signed.SECRET),
            new RecentExecutions(10),
            MOST_BYTES,
            this::receive));
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  private PushReply receive(Push push) throws InterruptedException {
    received.add(push.executionId() + " " + push.text());
    return switch (push.text()) {
      case "later" -> PushReply.later();
      case "retry" -> throw new RetryLater("not now", Duration.ofMillis(1_500));
      case "snooze" -> throw new Snooze(Duration.ofMillis(1_500));
      case "fatal" -> throw new FatalFailure("never");
      case "broken" -> throw new IllegalStateException("broken");
      case "blocks" -> {
        blocked.countDown();
        released.await();
        yield PushReply.done();
      }
      default -> PushReply.done("did " + push.text());
    };
  }

  @Test
  void what_is_received_is_answered_with_its_result() throws Exception {
    HttpResponse<String> answer = Signed.post(address, "e-1", "work");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("did work");
    assertThat(received).containsExactly("e-1 work");
  }

  @Test
  void ph33_a_repeat_is_answered_and_not_performed() throws Exception {
    Signed.post(address, "e-1", "work");

    HttpResponse<String> repeat = Signed.post(address, "e-1", "work");

    assertThat(repeat.statusCode()).isEqualTo(200);
    assertThat(repeat.headers().firstValue(PushHeaders.DUPLICATE)).contains("true");
    assertThat(received).hasSize(1);
  }

  @Test
  void ph33_a_repeat_of_what_runs_is_told_to_come_later() throws Exception {
    Future<HttpResponse<String>> first =
        threads.submit(() -> Signed.post(address, "e-1", "blocks"));
    blocked.await();

    HttpResponse<String> repeat = Signed.post(address, "e-1", "blocks");
    released.countDown();

    assertThat(repeat.statusCode()).isEqualTo(409);
    assertThat(repeat.headers().firstValue("retry-after")).contains("1");
    assertThat(first.get().statusCode()).isEqualTo(200);
    assertThat(received).hasSize(1);
  }

  @Test
  void failures_say_whether_another_attempt_helps_and_are_performed_again() throws Exception {
    HttpResponse<String> retry = Signed.post(address, "e-1", "retry");

    assertThat(retry.statusCode()).isEqualTo(503);
    assertThat(retry.headers().firstValue("retry-after")).contains("2");
    assertThat(retry.body()).isEqualTo("not now");
    HttpResponse<String> snooze = Signed.post(address, "e-4", "snooze");
    assertThat(snooze.statusCode()).isEqualTo(503);
    assertThat(snooze.headers().firstValue("kairos-completion")).contains("snooze");
    assertThat(snooze.headers().firstValue("retry-after")).contains("2");
    assertThat(Signed.post(address, "e-2", "fatal").statusCode()).isEqualTo(410);
    assertThat(Signed.post(address, "e-3", "broken").statusCode()).isEqualTo(500);
    assertThat(Signed.post(address, "e-1", "work").statusCode()).isEqualTo(200);
    assertThat(received).hasSize(5);
  }

  @Test
  void what_ends_later_is_not_done_yet() throws Exception {
    HttpResponse<String> answer = Signed.post(address, "e-1", "later");

    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.headers().firstValue(PushHeaders.COMPLETION)).contains(PushHeaders.LATER);
    assertThat(Signed.post(address, "e-1", "later").statusCode()).isEqualTo(202);
    assertThat(received).hasSize(2);
  }

  @Test
  void what_is_not_signed_or_too_large_is_not_received() throws Exception {
    byte[] body = {1};

    assertThat(
            Signed.post(address, Signed.headers(Signed.OTHER, "e-1", Signed.NOW, body), body)
                .statusCode())
        .isEqualTo(401);
    assertThat(Signed.post(address, "e-1", "x".repeat(MOST_BYTES + 1)).statusCode()).isEqualTo(413);
    assertThat(received).isEmpty();
  }
}
