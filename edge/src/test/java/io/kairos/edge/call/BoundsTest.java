package io.kairos.edge.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.NextWorkRequest;
import io.kairos.api.v1.NextWorkResponse;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.WorkerServiceGrpc;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.Hashes;
import io.kairos.edge.rest.RestErrors;
import io.kairos.edge.tls.TestTls;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class BoundsTest {
  @RegisterExtension static final Edge EDGE = new Edge();

  private static <Q, A> A call(MethodDescriptor<Q, A> method, Q request, CallOptions options) {
    return ClientCalls.blockingUnaryCall(EDGE.channel, method, options, request);
  }

  @Test
  void bodies_that_never_end_are_refused_together_and_leave_room_for_small_requests()
      throws Exception {
    List<Socket> open = new ArrayList<>();
    boolean refused = false;
    try {
      // 16 MiB each: three are more than one caller may have.
      for (int i = 0; i < 3; i++) {
        Socket socket = EDGE.socket();
        open.add(socket);
        socket
            .getOutputStream()
            .write(
                """
                POST /v1/tasks:batch HTTP/1.1\r
                Host: localhost\r
                Content-Type: application/json\r
                Content-Length: 16000001\r
                \r
                """
                    .getBytes(UTF_8));
        socket.getOutputStream().write(" ".repeat(16_000_000).getBytes(UTF_8));
      }
      for (Socket socket : open.reversed()) {
        socket.setSoTimeout(1_000);
        refused |= answer(socket).startsWith("HTTP/1.1 429");
      }

      assertThat(refused).isTrue();
      assertThat(EDGE.get("/v1/tasks").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  /**
   * So that monitors and load balancers see a node that is overloaded, and not one that is dead.
   */
  @Test
  void the_pages_of_the_status_are_answered_while_no_bytes_are_left_for_calls() throws Exception {
    try (Edge edge = Edge.withBytesInFlight(8 << 20)) {
      List<Socket> open = new ArrayList<>();
      // Of a third of 8 MiB one caller has half, for small requests: room for twenty large ones,
      // and for some of the smallest. A large one that is refused would make room again.
      for (int i = 0; i < 20; i++) {
        open.add(unfinished(edge, 65_000));
      }
      long untilNanos = System.nanoTime() + Duration.ofSeconds(15).toNanos();
      while (edge.get("/v1/tasks").statusCode() != 429) {
        assertThat(System.nanoTime() - untilNanos).as("the bodies have come").isNegative();
        open.add(unfinished(edge, 1_000));
      }

      for (String page : List.of("/", "/healthz", "/readyz", "/metrics")) {
        assertThat(edge.get(page).statusCode()).as(page).isEqualTo(200);
      }
      assertThat(edge.get("/v1/tasks").statusCode()).isEqualTo(429);
      for (Socket socket : open) {
        socket.close(); // before the edge, which would answer them
      }
    }
  }

  /** A request of which so many bytes of the body have been sent, and one is missing. */
  private static Socket unfinished(Edge edge, int bytes) throws IOException {
    Socket socket = edge.socket();
    socket
        .getOutputStream()
        .write(
            ("POST /v1/tasks/7:cancel HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: "
                    + (bytes + 1)
                    + "\r\n\r\n"
                    + " ".repeat(bytes))
                .getBytes(UTF_8));
    return socket;
  }

  private static String answer(Socket socket) throws IOException {
    try {
      return new String(socket.getInputStream().readNBytes(12), UTF_8);
    } catch (java.net.SocketTimeoutException _) {
      return "none";
    }
  }

  @Test
  void a_request_larger_than_its_method_needs_is_refused() throws Exception {
    assertThat(EDGE.post("/v1/tasks/7:cancel", " ".repeat(70_000)).statusCode()).isEqualTo(413);
    assertThat(EDGE.post("/v1/tasks:batch", " ".repeat(70_000)).statusCode()).isEqualTo(400);
    assertThatThrownBy(() ->
            call(
                WorkerServiceGrpc.getNextWorkMethod(),
                NextWorkRequest.newBuilder().setWorker("w".repeat(2_000_000)).build(),
                CallOptions.DEFAULT))
        .hasMessageContaining("RESOURCE_EXHAUSTED: a request of this method has at most 1048576");
  }

  @Test
  void millions_of_empty_elements_are_refused_before_they_are_objects() throws Exception {
    int many = 1_000_000;

    assertThat(EDGE.post("/v1/tasks:batch", "{\"tasks\":[" + "{},".repeat(many) + "{}]}").body())
        .contains("body: must be JSON", "400000");
    assertThatThrownBy(() ->
            call(
                TaskServiceGrpc.getBatchScheduleTasksMethod(),
                BatchScheduleTasksRequest.newBuilder()
                    .addAllTasks(
                        Collections.nCopies(many, ScheduleTaskRequest.getDefaultInstance()))
                    .build(),
                CallOptions.DEFAULT))
        .hasMessageContaining("INVALID_ARGUMENT: a request has at most 400000 fields");
  }

  @Test
  void large_requests_are_read_off_the_threads_of_the_connections_and_small_ones_on_them() {
    scheduleBatch(3);
    assertThat(EDGE.lastReader).startsWith("kairos-http");

    scheduleBatch(100);
    assertThat(EDGE.lastReader).startsWith("kairos-parse");
    assertThat(EDGE.tasks.scheduled).hasSize(103);
  }

  @Test
  void a_long_list_is_read_off_the_threads_of_the_connections_and_its_caller_can_leave()
      throws Exception {
    ListenableFuture<NextWorkResponse> small = waitFor(900);
    ScriptedTasks.Poll here = EDGE.tasks.nextPoll();
    ListenableFuture<NextWorkResponse> large = waitFor(1_000);
    ScriptedTasks.Poll elsewhere = EDGE.tasks.nextPoll();

    assertThat(here.thread).startsWith("kairos-http");
    assertThat(elsewhere.thread).startsWith("kairos-parse");
    here.answer(List.of());
    assertThat(small.get().getWorkList()).isEmpty();
    assertThat(large.cancel(true)).isTrue();
    elsewhere.awaitEnd();
  }

  /** Handlers of 64 characters, of which a thousand take more than 64 KiB. */
  private static ListenableFuture<NextWorkResponse> waitFor(int handlers) {
    NextWorkRequest.Builder request = NextWorkRequest.newBuilder().setWorker("w").setMaxTasks(1);
    for (int i = 0; i < handlers; i++) {
      request.addHandlers("%064d".formatted(i));
    }
    return WorkerServiceGrpc.newFutureStub(EDGE.channel).nextWork(request.build());
  }

  private static void scheduleBatch(int tasks) {
    ScheduleTaskRequest task =
        ScheduleTaskRequest.newBuilder()
            .setHandler("h")
            .setPayload(ByteString.copyFrom(new byte[Edge.MAX_PAYLOAD]))
            .build();
    call(
        TaskServiceGrpc.getBatchScheduleTasksMethod(),
        BatchScheduleTasksRequest.newBuilder()
            .addAllTasks(Collections.nCopies(tasks, task))
            .build(),
        CallOptions.DEFAULT);
  }

  @Test
  void a_call_that_its_client_resets_is_a_line_without_a_stack_trace() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(RestErrors.class);
    BlockingQueue<ILoggingEvent> lines = new LinkedBlockingQueue<>();
    AppenderBase<ILoggingEvent> appender =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent line) {
            lines.add(line);
          }
        };
    appender.start();
    logger.addAppender(appender);
    logger.setLevel(Level.DEBUG);
    try {
      HttpRequestWriter request =
          HttpRequest.streaming(
              RequestHeaders.of(
                  HttpMethod.POST, "/v1/tasks:batch", "content-type", "application/json"));
      WebClient client =
          WebClient.builder((TestTls.ON ? "h2" : "h2c") + "://127.0.0.1:" + EDGE.port())
              .factory(ClientFactory.insecure())
              .build();
      HttpResponse answer = client.execute(request);
      var _ = answer.aggregate();
      request.write(HttpData.ofUtf8("{"));
      assertThat(request.whenConsumed()).succeedsWithin(Duration.ofMinutes(1));
      request.abort();

      ILoggingEvent line = requireNonNull(lines.poll(1, TimeUnit.MINUTES));
      assertThat(line.getLevel()).isEqualTo(Level.DEBUG);
      assertThat(line.getThrowableProxy()).isNull();
    } finally {
      logger.detachAppender(appender);
      logger.setLevel(null);
    }
  }

  @Test
  void a_compressed_request_is_refused() {
    assertThatThrownBy(() ->
            call(
                TaskServiceGrpc.getScheduleTaskMethod(),
                ScheduleTaskRequest.newBuilder().setHandler("h".repeat(100)).build(),
                CallOptions.DEFAULT.withCompression("gzip")))
        .hasMessageContaining("UNIMPLEMENTED: grpc-encoding: requests may not be compressed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\nContent-Length: 5",
        "Content-Length: 5\nTransfer-Encoding: chunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: chunked\nTransfer-Encoding: identity"
      })
  void a_body_whose_end_is_not_clear_closes_the_connection(String framing) throws Exception {
    String answers =
        EDGE.raw(
            "POST /v1/tasks HTTP/1.1\nHost: localhost\nContent-Type: application/json\n"
                + framing
                + "\n\n0\n\nGET /readyz HTTP/1.1\nHost: localhost\n\n");

    assertThat(answers)
        .startsWith("HTTP/1.1 400")
        .contains("application/problem+json", "transfer-encoding: must be chunked")
        .doesNotContain("\"ready\"");
  }

  @Test
  void a_chunked_body_is_taken_and_so_is_the_next_request() throws Exception {
    assertThat(
            EDGE.raw(
                """
                POST /v1/tasks/7:cancel HTTP/1.1
                Host: localhost
                Content-Type: application/json
                Transfer-Encoding: chunked

                2
                {}
                0

                GET /readyz HTTP/1.1
                Host: localhost
                Connection: close

                """))
        .contains("\"ready\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"runAt\": \"2030-02-30T00:00:00Z\"",
        "\"runAt\": \"2030-02-2\u0668T00:00:00Z\"",
        "\"delay\": \"\u0661s\"",
        "\"priority\": \"\u0661\""
      })
  void a_day_that_no_month_has_and_digits_of_another_script_are_refused(String field)
      throws Exception {
    assertThat(EDGE.post("/v1/tasks", "{\"handler\": \"h\", " + field + "}").statusCode())
        .isEqualTo(400);
  }

  @Test
  void wrong_tokens_of_an_address_are_throttled_and_a_right_one_is_not() throws Exception {
    String right = "0123456789abcdef";
    CallerConfig caller = new CallerConfig("reader", Hashes.of(right), Set.of(CallerRole.READ));
    try (Edge edge = new Edge(caller)) {
      List<Integer> codes = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        codes.add(
            edge.send(
                    java.net.http.HttpRequest.newBuilder(edge.uri("/v1/tasks"))
                        .header("authorization", "Bearer wrong" + i))
                .statusCode());
      }

      assertThat(codes.subList(0, 10)).containsOnly(401);
      assertThat(codes.subList(10, 12)).containsOnly(429);
      assertThat(
              edge.send(
                      java.net.http.HttpRequest.newBuilder(edge.uri("/v1/tasks"))
                          .header("authorization", "Bearer " + right))
                  .statusCode())
          .isEqualTo(200);
    }
  }
}
