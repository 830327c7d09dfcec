package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The order in which a node stops. */
@Timeout(180)
class OrderlyStopTest {
  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void workers_that_wait_are_answered_before_pushes_under_way_are_given_up() throws Exception {
    RunningNode node = Configured.started();
    try (ServerSocket receiver = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CountDownLatch arrived = new CountDownLatch(1);
      Thread hangs = Thread.ofPlatform().daemon().start(() -> hang(receiver, arrived));
      post(
              node,
              "/v1/pools",
              """
              {"name": "hangs", "listed": {"urls": ["http://127.0.0.1:%d"]}}
              """
                  .formatted(receiver.getLocalPort()))
          .join();
      post(node, "/v1/tasks", "{\"pool\": {\"name\": \"hangs\", \"path\": \"/\"}}").join();
      assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<?> poll =
          post(
                  node,
                  "/v1/work:next",
                  "{\"worker\": \"w\", \"handlers\": [\"h\"], \"maxTasks\": 1, \"wait\": \"60s\"}")
              .thenAccept(answer -> events.add("worker answered " + answer.statusCode()));
      while (!isWaitedFor(node)) {
        LockSupport.parkNanos(LOOK_EVERY.toNanos());
      }

      node.close();
      poll.join();
      hangs.join();
    } finally {
      node.close();
    }

    assertThat(events).containsExactly("worker answered 200", "push given up");
  }

  private CompletableFuture<HttpResponse<String>> post(RunningNode at, String path, String body) {
    return client.sendAsync(
        HttpRequest.newBuilder(URI.create("http://" + Configured.address(at) + path))
            .header("content-type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** True while a worker's call waits, besides that of the pool. */
  private static boolean isWaitedFor(RunningNode node) {
    return node.metrics()
        .lines()
        .filter(line -> line.startsWith("kairos_worker_waiting"))
        .anyMatch(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))) >= 2);
  }

  /** Answers nothing, and notes when the caller hangs up. */
  private void hang(ServerSocket receiver, CountDownLatch arrived) {
    try (Socket caller = receiver.accept();
        InputStream in = caller.getInputStream()) {
      StringBuilder request = new StringBuilder();
      byte[] some = new byte[1_024];
      int count = in.read(some);
      while (count >= 0) {
        request.append(new String(some, 0, count, StandardCharsets.ISO_8859_1));
        if (request.indexOf("\r\n\r\n") >= 0) {
          arrived.countDown();
        }
        count = in.read(some);
      }
    } catch (IOException e) {
      // a reset is a hang-up too
    }
    events.add("push given up");
  }
}
