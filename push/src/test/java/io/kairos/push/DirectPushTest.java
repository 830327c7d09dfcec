package io.kairos.push;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.PortList;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.engine.setting.ConfigRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class DirectPushTest {
  private final PushConnections caller =
      new PushConnections(
          ConfigRecord.defaults(PushConfig.class),
          AllowList.of(List.of("127.0.0.1/32"), PortList.DEFAULT),
          PoolCredentials.none());
  private final DirectPush pushes = new DirectPush(caller, InstantSource.system());

  @AfterEach
  void close() {
    caller.close();
  }

  private AttemptOutcome post(String endpoint, String path) {
    CompletableFuture<AttemptOutcome> outcome = new CompletableFuture<>();
    pushes.post(
        EndpointUrl.of(endpoint),
        path,
        "text/x-beat",
        "now".getBytes(UTF_8),
        "demo/1-10-77",
        outcome::complete);
    return outcome.join();
  }

  private String error(String endpoint, String path) {
    return ((AttemptOutcome.Again) post(endpoint, path)).error();
  }

  @Test
  void it_is_posted_with_its_id_to_an_address_that_is_allowed() throws IOException {
    try (WorkerServer server = WorkerServer.answering(204)) {
      assertThat(post("http://localhost:" + server.port(), "/beat?of=1"))
          .isInstanceOf(AttemptOutcome.Succeeded.class);

      WorkerServer.Got got = server.got().getFirst();
      assertThat(got.method()).isEqualTo("POST");
      assertThat(got.path()).isEqualTo("/beat?of=1");
      assertThat(got.header("Content-Type")).isEqualTo("text/x-beat");
      assertThat(got.header("Idempotency-Key")).isEqualTo("demo/1-10-77");
      assertThat(got.body()).isEqualTo("now".getBytes(UTF_8));
    }
  }

  @Test
  void what_the_receiver_answers_says_whether_it_is_tried_again() throws IOException {
    try (WorkerServer server = WorkerServer.answering(503)) {
      assertThat(post(server.url(), "/")).isInstanceOf(AttemptOutcome.Again.class);
      server.now(exchange -> exchange.sendResponseHeaders(410, -1));
      assertThat(post(server.url(), "/")).isInstanceOf(AttemptOutcome.Failed.class);
    }
  }

  @Test
  void where_nobody_listens_and_where_it_may_not_go_it_is_tried_again_with_the_reason()
      throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    assertThat(error("http://127.0.0.1:" + free, "/")).startsWith("no answer: ");
    assertThat(error("http://127.0.0.2:" + free, "/")).contains("private address");
    assertThat(error("http://169.254.169.254", "/latest")).contains("never pushed to");
    assertThat(error("http://nobody.invalid", "/")).contains("nobody.invalid");
  }
}
