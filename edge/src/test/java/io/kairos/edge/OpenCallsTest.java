package io.kairos.edge;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.kairos.api.v1.GetTaskRequest;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.CallersConfig;
import io.kairos.edge.tls.TestTls;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With 16 MiB in flight 4,096 calls may be open, half of them from one address. */
@Timeout(60)
class OpenCallsTest {
  /** As many as one connection may have open. */
  private static final int CALLS = 100;

  private static final Pattern LENGTH = Pattern.compile("content-length: ([0-9]+)");

  private static final byte GET = (byte) 0x82;
  private static final byte POST = (byte) 0x83;
  private static final int END_OF_HEADERS = 4;
  private static final int WHOLE_REQUEST = 5;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int REFUSED_STREAM = 7;
  private static final byte[] NO_WINDOW = {0, 4, 0, 0, 0, 0};

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<Socket> sockets = new ArrayList<>();
  private HttpEdge edge = start();

  private HttpEdge start(CallerConfig... callers) {
    HttpConfig config =
        TestTls.overTls(
            new HttpConfig(
                InetAddress.getLoopbackAddress(),
                0,
                1_000,
                16 << 20,
                100,
                CallersConfig.of(List.of(callers))));
    NodeView view =
        new NodeView() {
          @Override
          public String greeting() {
            return "";
          }

          @Override
          public List<String> obstacles() {
            return List.of();
          }

          @Override
          public Optional<ReadyNode.Parts> parts() {
            return Optional.empty();
          }
        };
    return HttpEdge.start(
        config, registry, view, NodeServices.of(view, config, 50_000, InstantSource.system()));
  }

  @AfterEach
  void close() throws IOException {
    hangUp();
    edge.close();
  }

  private void hangUp() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  @ParameterizedTest
  @CsvSource({
    "/metrics, localhost",
    "/secrets, localhost",
    "/v1/tasks, foreign.example",
    "/%zz, localhost"
  })
  void calls_whose_answers_may_not_be_sent_are_bounded_also_refused_ones(
      String path, String authority) throws IOException {
    byte[] ask = request(GET, path, authority);
    assertThat(refused("127.0.0.1", 20, ask, WHOLE_REQUEST)).isZero();
    assertThat(refused("127.0.0.1", 2, ask, WHOLE_REQUEST)).isGreaterThan(100);

    assertThat(refused("127.0.0.2", 1, ask, WHOLE_REQUEST)).isZero();

    hangUp();
    while (inFlight() > 0) {
      Thread.onSpinWait();
    }
    // All that is counted is given back: otherwise this ends by the time limit.
    while (refused("127.0.0.1", 20, ask, WHOLE_REQUEST) > 0) {
      hangUp();
    }
  }

  @Test
  void a_thousand_refused_calls_at_once_leave_a_client_its_connection() throws Exception {
    byte[] unfinished = request(POST, "/v1/tasks", "localhost");
    assertThat(refused("127.0.0.1", 7, unfinished, END_OF_HEADERS)).isZero();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", edge.port(), TestTls.credentials()).build();
    try {
      List<ListenableFuture<Task>> calls = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        calls.add(
            TaskServiceGrpc.newFutureStub(channel).getTask(GetTaskRequest.getDefaultInstance()));
      }
      for (ListenableFuture<Task> call : calls) {
        assertThat(code(call)).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      }
    } finally {
      var _ = channel.shutdownNow();
    }
  }

  @Test
  void a_connection_of_http_1_ends_with_its_first_refusal() throws IOException {
    byte[] unfinished = request(POST, "/v1/tasks", "localhost");
    assertThat(refused("127.0.0.1", 7, unfinished, END_OF_HEADERS)).isZero();
    try (Socket socket = open()) {
      String ask = "GET /v1/handlers HTTP/1.1\r\nhost: localhost\r\n\r\n";
      socket.getOutputStream().write(ask.getBytes(US_ASCII));

      String untilTheEnd = new String(socket.getInputStream().readAllBytes(), US_ASCII);

      assertThat(untilTheEnd).startsWith("HTTP/1.1 429 ").contains("connection: close");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /", "GET /healthz", "GET /nothing", "GET /v1/tasks", "OPTIONS *"})
  void a_pipeline_that_is_too_long_ends_after_its_answers(String line) throws IOException {
    String ask = line + " HTTP/1.1\r\nhost: localhost\r\n\r\n";
    try (Socket socket = open()) {
      send(socket, ask.repeat(17));

      String untilTheEnd = new String(socket.getInputStream().readAllBytes(), US_ASCII);

      assertThat(untilTheEnd.split("HTTP/1.1 ", -1)).hasSize(1 + 17);
      assertThat(untilTheEnd.lastIndexOf("connection: close"))
          .isGreaterThan(untilTheEnd.lastIndexOf("HTTP/1.1 "));
    }
  }

  @Test
  void what_comes_after_a_pipeline_that_is_too_long_is_not_answered() throws IOException {
    String ask = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    try (Socket socket = open()) {
      send(socket, ask.repeat(1_000));

      int answers = 0;
      try {
        while (socket.getInputStream().read() >= 0) {
          answers++;
        }
      } catch (SocketException _) {
        // What was not read is reset.
      }

      assertThat(answers).isLessThan(100 * 200);
    }
  }

  @Test
  void a_pipeline_of_16_is_answered_and_the_connection_goes_on() throws IOException {
    String ask = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
    try (Socket socket = open()) {
      for (int i = 0; i < 3; i++) {
        send(socket, ask.repeat(16));
        for (int answer = 0; answer < 16; answer++) {
          String head = head(socket);
          assertThat(head).startsWith("HTTP/1.1 200 ").doesNotContain("connection: close");
          Matcher length = LENGTH.matcher(head);
          assertThat(length.find()).isTrue();
          socket.getInputStream().readNBytes(Integer.parseInt(requireNonNull(length.group(1))));
        }
      }
    }
  }

  @Test
  void the_refusal_of_a_body_that_still_comes_can_be_read() throws IOException {
    byte[] unfinished = request(POST, "/v1/tasks", "localhost");
    assertThat(refused("127.0.0.1", 7, unfinished, END_OF_HEADERS)).isZero();
    String piece = " ".repeat(400_000);
    try (Socket socket = open()) {
      send(
          socket,
          "POST /v1/tasks:batch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
              + "content-length: 800000\r\n\r\n"
              + piece);
      assertThat(head(socket)).startsWith("HTTP/1.1 429 ").contains("connection: close");

      send(socket, piece);

      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII)).contains("429");
    }
  }

  @Test
  void a_stranger_who_takes_no_answers_leaves_others_theirs() throws IOException {
    edge.close();
    edge = start(new CallerConfig("known", "ab".repeat(32), Set.of(CallerRole.READ)));
    byte[] ask = request(GET, "/metrics", "localhost");
    Counter.builder("test").description("d".repeat(50_000)).register(registry);
    assertThat(refused("127.0.0.1", 3, ask, WHOLE_REQUEST)).isZero();

    String metrics = "GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n";
    try (Socket flood = open("127.0.0.1");
        Socket other = open("127.0.0.2")) {
      send(flood, metrics);
      send(other, metrics);

      assertThat(head(flood)).startsWith("HTTP/1.1 429 ");
      assertThat(head(other)).startsWith("HTTP/1.1 200 ");
    }
  }

  private Socket open() throws IOException {
    return open("127.0.0.1");
  }

  private Socket open(String from) throws IOException {
    Socket socket = new Socket("127.0.0.1", edge.port(), InetAddress.getByName(from), 0);
    socket.setSoTimeout(10_000);
    return TestTls.over(socket, TestTls.HTTP_1);
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
  }

  /** The head of the next answer; one without a body is read as a whole. */
  private static String head(Socket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new EOFException(head.toString());
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static Status.Code code(ListenableFuture<?> call) throws InterruptedException {
    try {
      var _ = call.get();
      return Status.Code.OK;
    } catch (ExecutionException e) {
      return Status.fromThrowable(e).getCode();
    }
  }

  private double inFlight() {
    return registry.get("kairos.edge.in.flight.bytes").gauge().value();
  }

  /**
   * How many calls of so many new connections, {@link #CALLS} of each and without a window, are
   * refused before they are looked at; all of one that ends. The connections stay open.
   */
  private int refused(String from, int connections, byte[] ask, int flags) throws IOException {
    int refused = 0;
    for (int i = 0; i < connections; i++) {
      refused += refused(from, ask, flags);
    }
    return refused;
  }

  private int refused(String from, byte[] ask, int flags) throws IOException {
    Socket connected = new Socket();
    sockets.add(connected);
    connected.bind(new InetSocketAddress(from, 0));
    connected.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), edge.port()));
    Socket socket = TestTls.over(connected, TestTls.HTTP_2);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    out.writeBytes(frame(SETTINGS, 0, 0, NO_WINDOW));
    for (int i = 0; i < CALLS; i++) {
      out.writeBytes(frame(HEADERS, flags, 2 * i + 1, ask));
    }
    // Answered when all before it was read.
    out.writeBytes(frame(PING, 0, 0, new byte[8]));
    try {
      out.writeTo(socket.getOutputStream());
      return refusals(new DataInputStream(socket.getInputStream()));
    } catch (EOFException | SocketException _) {
      return CALLS;
    }
  }

  private static int refusals(DataInputStream in) throws IOException {
    int refused = 0;
    while (true) {
      int lengthAndType = in.readInt();
      int flags = in.readByte();
      int _ = in.readInt();
      byte[] payload = in.readNBytes(lengthAndType >>> 8);
      switch (lengthAndType & 0xff) {
        case RST_STREAM -> refused += payload[3] == REFUSED_STREAM ? 1 : 0;
        case PING -> {
          if (flags == 1) {
            return refused;
          }
        }
        default -> {}
      }
    }
  }

  private static byte[] request(byte method, String path, String authority) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(method);
    out.write(0x86); // :scheme: http
    out.writeBytes(literal(":path", path));
    out.writeBytes(literal(":authority", authority));
    return out.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) 0)
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** A header field of HPACK that is neither compressed nor kept. */
  private static byte[] literal(String name, String value) {
    return ByteBuffer.allocate(3 + name.length() + value.length())
        .put((byte) 0)
        .put((byte) name.length())
        .put(name.getBytes(US_ASCII))
        .put((byte) value.length())
        .put(value.getBytes(US_ASCII))
        .array();
  }
}
