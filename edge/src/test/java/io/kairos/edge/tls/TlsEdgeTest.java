package io.kairos.edge.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.kairos.api.tls.UnusableTlsException;
import io.kairos.api.v1.GetTaskRequest;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.ListTasksResponse;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.client.KairosClient;
import io.kairos.client.TaskQuery;
import io.kairos.contracts.certificate.TestCertificate;
import io.kairos.edge.HttpEdge;
import io.kairos.edge.ProcessView;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.engine.audit.AuditedCall;
import io.kairos.engine.loop.Step;
import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TlsEdgeTest {
  private static final Instant PAST = Instant.parse("2020-01-01T00:00:00Z");
  private static final int REPLACEMENTS = 100;

  /** By which clients know that they may repeat a call. */
  private static final ErrorInfo NOTHING_DONE =
      ErrorInfo.newBuilder().setReason("NOTHING_DONE").setDomain("kairos").build();

  @TempDir Path folder;
  private volatile Duration ahead = Duration.ZERO;

  /** The clock of the edge, which may be ahead of Java's, by which handshakes are judged. */
  private final Clock clock =
      new Clock() {
        @Override
        public long wallTime() {
          return SYSTEM.wallTime() + ahead.toMillis();
        }

        @Override
        public long monotonicTime() {
          return SYSTEM.monotonicTime();
        }
      };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock);
  private final List<List<String>> callers = new ArrayList<>();
  private final List<String> refusals = new CopyOnWriteArrayList<>();
  private @Nullable HttpEdge started;

  /** A service that has no task and remembers who has asked. */
  private final class Tasks extends TaskServiceGrpc.TaskServiceImplBase {
    @Override
    public void getTask(GetTaskRequest request, StreamObserver<Task> answer) {
      synchronized (callers) {
        callers.add(ClientCertificate.names(ServiceRequestContext.current()));
      }
      answer.onNext(Task.getDefaultInstance());
      answer.onCompleted();
    }

    @Override
    public void listTasks(ListTasksRequest request, StreamObserver<ListTasksResponse> answer) {
      synchronized (callers) {
        callers.add(ClientCertificate.names(ServiceRequestContext.current()));
      }
      answer.onNext(ListTasksResponse.getDefaultInstance());
      answer.onCompleted();
    }
  }

  private final class View implements ProcessView {
    @Override
    public void refused(AuditedCall call, String outcome) {
      refusals.add(call + " " + outcome);
    }

    @Override
    public String greeting() {
      return "hello";
    }

    @Override
    public List<String> obstacles() {
      return List.of();
    }
  }

  private void write(TestCertificate server) {
    server.writeCertificate(folder.resolve("tls.crt"));
    server.writeKey(folder.resolve("tls.key"));
  }

  private void start(Optional<TlsConfig.ClientNeeds> clients, CallerConfig... known) {
    write(TestTls.ofServer());
    Path ca = TestTls.CA.writeCertificate(folder.resolve("ca.crt"));
    TlsConfig tls =
        new TlsConfig(
            folder.resolve("tls.crt"), folder.resolve("tls.key"), clients.map(_ -> ca), clients);
    started =
        HttpEdge.start(
            HttpConfig.of(
                InetAddress.getLoopbackAddress(), 0, 1_000_000, List.of(known), Optional.of(tls)),
            registry,
            new View(),
            List.of(new Tasks()));
  }

  @AfterEach
  void close() {
    edge().close();
  }

  private HttpEdge edge() {
    return requireNonNull(started);
  }

  private Step certificates() {
    return edge().upkeep().getLast();
  }

  /** Two looks have to find the same. */
  private void look() {
    var _ = certificates().runOnce();
    var _ = certificates().runOnce();
  }

  private int get(SSLContext context, String version, String path) throws Exception {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(new String[] {version});
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(context).sslParameters(parameters).build()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + edge().port() + path))
                  .build(),
              BodyHandlers.discarding())
          .statusCode();
    }
  }

  private int get(Optional<TestCertificate> client) throws Exception {
    return get(TestTls.trusting(client), "TLSv1.3", "/healthz");
  }

  private void call(ChannelCredentials credentials) throws InterruptedException {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", edge().port(), credentials).build();
    try {
      var _ = TaskServiceGrpc.newBlockingStub(channel).getTask(GetTaskRequest.getDefaultInstance());
    } finally {
      channel.shutdownNow();
    }
  }

  private static ChannelCredentials showing(TestCertificate client) {
    return TlsChannelCredentials.newBuilder()
        .trustManager(TestTls.authorities())
        .keyManager(TestTls.keys(client))
        .build();
  }

  private static ChannelCredentials showingNone() {
    return TlsChannelCredentials.newBuilder().trustManager(TestTls.authorities()).build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void rest_and_grpc_are_served_by_tls(String version) throws Exception {
    start(Optional.empty());

    assertThat(get(TestTls.trusting(Optional.empty()), version, "/v1/tasks/1")).isEqualTo(200);
    call(showingNone());
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1", "TLSv1.1"})
  void older_versions_are_refused(String version) throws Exception {
    start(Optional.empty());
    // Java refuses them too, unless it is asked by name.
    try (Socket plain = connect()) {
      // A hello of this version without any other: the answer is an alert.
      byte minor = (byte) (version.equals("TLSv1") ? 1 : 2);
      plain.getOutputStream().write(hello(minor));

      assertThat(plain.getInputStream().read()).isEqualTo(0x15);
    }
  }

  /** A client's hello of this version, with one of its cipher suites. */
  private static byte[] hello(byte minor) {
    byte[] hello = new byte[5 + 4 + 41];
    hello[0] = 0x16;
    hello[1] = 3;
    hello[2] = minor;
    hello[4] = 4 + 41;
    hello[5] = 1;
    hello[8] = 41;
    hello[9] = 3;
    hello[10] = minor;
    // 32 random bytes, no session
    hello[45] = 2;
    hello[46] = (byte) 0xc0; // TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA
    hello[47] = 9;
    hello[48] = 1; // no compression
    return hello;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/tasks/1 HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
      })
  void plain_http_gets_nothing_of_the_api(String request) throws IOException {
    start(Optional.empty());
    try (Socket plain = connect()) {
      plain.getOutputStream().write(request.getBytes(US_ASCII));

      assertThat(new String(plain.getInputStream().readAllBytes(), US_ASCII))
          .doesNotContain("HTTP/");
    }
    assertThat(callers).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(TlsConfig.ClientNeeds.class)
  void a_good_certificate_of_a_client_is_known_by_its_names(TlsConfig.ClientNeeds needs)
      throws Exception {
    start(Optional.of(needs));

    call(showing(TestTls.CA.sign("worker", "dns:worker.example")));

    assertThat(callers).containsExactly(List.of("dns:worker.example"));
  }

  @Test
  void a_caller_is_known_by_a_name_of_its_certificate() throws Exception {
    CallerConfig reader = new CallerConfig("reader", "", Set.of(CallerRole.READ));
    start(
        Optional.of(TlsConfig.ClientNeeds.OPTIONAL),
        reader.withCertificates("dns:reader.example", "uri:spiffe://example/reader"));

    call(showing(TestTls.CA.sign("any", "dns:reader.example")));

    assertThatThrownBy(() -> call(showing(TestTls.CA.sign("any", "dns:other.example"))))
        .hasMessageContaining("UNAUTHENTICATED");
    assertThatThrownBy(() -> call(showing(TestTls.CA.sign("reader.example", "dns:a.example"))))
        .hasMessageContaining("UNAUTHENTICATED");
    assertThatThrownBy(() -> call(showingNone())).hasMessageContaining("UNAUTHENTICATED");
    assertThat(callers).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(TlsConfig.ClientNeeds.class)
  void a_certificate_of_another_ca_or_an_expired_one_is_refused(TlsConfig.ClientNeeds needs) {
    start(Optional.of(needs));

    refused(showing(TestCertificate.authority("test CA").sign("worker")));
    refused(showing(TestTls.CA.sign(PAST, "worker")));
    // Named as the CA, or Java would not even show it.
    refused(showing(TestCertificate.selfSigned("test CA")));
    assertThat(callers).isEmpty();
    assertThat(registry.get("kairos.edge.handshakes.failed").counter().count())
        .isGreaterThanOrEqualTo(3);
  }

  @Test
  void a_client_without_a_certificate_is_refused_where_one_is_required() {
    start(Optional.of(TlsConfig.ClientNeeds.REQUIRED));

    refused(showingNone());
    assertThatThrownBy(() -> get(Optional.empty())).isInstanceOf(IOException.class);
    assertThat(callers).isEmpty();
  }

  @Test
  void a_client_without_a_certificate_has_no_names_where_it_is_optional() throws Exception {
    start(Optional.of(TlsConfig.ClientNeeds.OPTIONAL));

    call(showingNone());

    assertThat(callers).containsExactly(List.of());
  }

  /** Java trusts what is itself among the trusted certificates without a look at its end. */
  @Test
  void an_expired_certificate_is_refused_also_where_it_is_trusted_itself() throws Exception {
    TestCertificate worker = TestCertificate.selfSigned(PAST, "worker");
    start(Optional.of(TlsConfig.ClientNeeds.REQUIRED));
    Path expired = worker.writeCertificate(folder.resolve("worker.crt"));
    Path ca = folder.resolve("ca.crt");
    Files.writeString(ca, Files.readString(ca) + Files.readString(expired));
    look();

    refused(showing(worker));
    assertThat(callers).isEmpty();
  }

  private void refused(ChannelCredentials credentials) {
    assertThatThrownBy(() -> call(credentials))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
  }

  @Test
  @Timeout(180)
  void certificates_are_replaced_a_hundred_times_and_no_call_fails() throws Exception {
    start(Optional.of(TlsConfig.ClientNeeds.REQUIRED));
    TestCertificate client = TestTls.CA.sign("worker");
    AtomicBoolean ends = new AtomicBoolean();
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(2);
    ManagedChannel lasting =
        NettyChannelBuilder.forAddress("localhost", edge().port(), showing(client)).build();
    HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(lasting);
    SSLContext trusting = TestTls.trusting(Optional.of(client));
    List<Callable<Object>> loads =
        List.of(
            () -> health.check(HealthCheckRequest.getDefaultInstance()),
            () -> assertThat(status(trusting)).startsWith("HTTP/1.1 200"));
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> running = new ArrayList<>();
      for (Callable<Object> load : loads) {
        running.add(
            threads.submit(() -> {
              while (!ends.get()) {
                var _ = load.call();
                begun.countDown();
                calls.incrementAndGet();
              }
              return calls;
            }));
      }
      while (begun.getCount() > 0 && running.stream().noneMatch(Future::isDone)) {
        var _ = begun.await(10, TimeUnit.MILLISECONDS);
      }
      for (int i = 0; i < REPLACEMENTS && running.stream().noneMatch(Future::isDone); i++) {
        TestCertificate next = TestTls.ofServer();
        write(next);
        look();
        assertThat(serverCertificate(client)).isEqualTo(next.certificate());
      }
      ends.set(true);
      for (Future<?> each : running) {
        assertThatCode(each::get).doesNotThrowAnyException();
      }
    } finally {
      ends.set(true);
      threads.close();
      lasting.shutdownNow();
    }
    assertThat(calls).hasPositiveValue();
    assertThat(refusals()).isZero();
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), edge().port());
  }

  /** An answer by a connection of its own. */
  private String status(SSLContext context) throws IOException {
    try (Socket plain = connect();
        Socket socket = TestTls.handshake(context, plain, TestTls.HTTP_1)) {
      socket
          .getOutputStream()
          .write(
              "GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
                  .getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  private Object serverCertificate(TestCertificate client) throws IOException {
    try (Socket plain = connect();
        SSLSocket socket =
            TestTls.handshake(TestTls.trusting(Optional.of(client)), plain, TestTls.HTTP_1)) {
      return socket.getSession().getPeerCertificates()[0];
    }
  }

  private double refusals() {
    return registry.get("kairos.edge.certificate.refused").counter().count();
  }

  @Test
  void garbage_keeps_the_old_certificate_and_is_counted() throws Exception {
    start(Optional.of(TlsConfig.ClientNeeds.REQUIRED));
    Files.writeString(folder.resolve("tls.key"), "garbage");
    Files.writeString(folder.resolve("ca.crt"), "");

    look();

    assertThat(get(Optional.of(TestTls.CA.sign("worker")))).isEqualTo(200);
    refused(showingNone());
    assertThat(refusals()).isOne();
    assertThat(registry.scrape())
        .contains("kairos_edge_certificate_refused_total 1.0")
        .contains("kairos_edge_certificate_remaining_seconds");
  }

  @Test
  void a_removed_ca_is_trusted_no_more_even_by_a_client_that_was_here_before() throws Exception {
    start(Optional.of(TlsConfig.ClientNeeds.REQUIRED));
    SSLContext before = TestTls.trusting(Optional.of(TestTls.CA.sign("worker")));
    assertThat(get(before, "TLSv1.2", "/healthz")).isEqualTo(200);
    TestCertificate.authority("other").writeCertificate(folder.resolve("ca.crt"));

    look();

    assertThatThrownBy(() -> get(before, "TLSv1.2", "/healthz")).isInstanceOf(IOException.class);
  }

  @Test
  void an_open_connection_serves_while_its_ca_is_trusted_and_no_longer() throws Exception {
    CallerConfig reader = new CallerConfig("reader", "", Set.of(CallerRole.READ));
    start(
        Optional.of(TlsConfig.ClientNeeds.OPTIONAL), reader.withCertificates("dns:reader.example"));
    Path ca = folder.resolve("ca.crt");
    String own = Files.readString(ca);
    String other =
        Files.readString(
            TestCertificate.authority("other").writeCertificate(folder.resolve("other.crt")));
    ManagedChannel lasting = connection(TestTls.CA.sign("any", "dns:reader.example"));
    try {
      TaskServiceGrpc.TaskServiceBlockingStub tasks = TaskServiceGrpc.newBlockingStub(lasting);
      var _ = tasks.getTask(GetTaskRequest.getDefaultInstance());
      Files.writeString(ca, own + other);
      look();
      var _ = tasks.getTask(GetTaskRequest.getDefaultInstance());

      Files.writeString(ca, other);
      look();

      sentAway(tasks);
      assertThat(callers).hasSize(2);
    } finally {
      lasting.shutdownNow();
    }
  }

  @Test
  void an_open_connection_serves_until_its_certificate_expires() throws Exception {
    start(Optional.of(TlsConfig.ClientNeeds.REQUIRED));
    Instant end = Instant.now().plus(Duration.ofHours(1));
    ManagedChannel lasting = connection(TestTls.CA.sign(end, "worker"));
    try {
      TaskServiceGrpc.TaskServiceBlockingStub tasks = TaskServiceGrpc.newBlockingStub(lasting);
      var _ = tasks.getTask(GetTaskRequest.getDefaultInstance());

      ahead = Duration.ofHours(2);

      sentAway(tasks);
      assertThat(callers).hasSize(1);
    } finally {
      lasting.shutdownNow();
    }
  }

  private ManagedChannel connection(TestCertificate client) {
    return NettyChannelBuilder.forAddress("localhost", edge().port(), showing(client)).build();
  }

  /** The next call is refused in such a way that clients repeat it, whatever it is. */
  private void sentAway(TaskServiceGrpc.TaskServiceBlockingStub tasks) {
    assertThatThrownBy(() -> tasks.getTask(GetTaskRequest.getDefaultInstance()))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
              assertThat(e.getStatus().getDescription()).contains("nothing has been done");
              assertThat(requireNonNull(StatusProto.fromThrowable(e)).getDetailsList())
                  .contains(Any.pack(NOTHING_DONE));
            });
    assertThat(refusedCalls()).isOne();
    assertThat(refusals).singleElement().asString().contains("GetTask").contains("UNAVAILABLE");
  }

  private double refusedCalls() {
    return registry.get("kairos.edge.client.certificate.refused").counter().count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/tasks/1", "/metrics"})
  void a_request_of_rest_on_an_open_connection_is_refused_and_the_connection_closed(String path)
      throws Exception {
    start(Optional.of(TlsConfig.ClientNeeds.REQUIRED));
    SSLContext context = TestTls.trusting(Optional.of(TestTls.CA.sign("worker")));
    try (Socket plain = connect();
        Socket socket = TestTls.handshake(context, plain, TestTls.HTTP_1)) {
      TestCertificate.authority("other").writeCertificate(folder.resolve("ca.crt"));
      look();
      socket
          .getOutputStream()
          .write("GET %s HTTP/1.1\r\nhost: localhost\r\n\r\n".formatted(path).getBytes(US_ASCII));

      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
          .startsWith("HTTP/1.1 401")
          .contains("the client's certificate is not trusted any more");
    }
    assertThat(refusedCalls()).isOne();
    assertThat(callers).isEmpty();
  }

  /** In the order in which an operator does it; the client sees its files by itself. */
  @Test
  void no_call_of_a_client_fails_whose_certificate_is_renewed_before_the_old_ca_is_removed()
      throws Exception {
    start(Optional.of(TlsConfig.ClientNeeds.REQUIRED));
    TestCertificate newCa = TestCertificate.authority("new CA");
    Path trusted = folder.resolve("ca.crt");
    Path nodeCa = TestTls.CA.writeCertificate(folder.resolve("node-ca.crt"));
    String added = Files.readString(newCa.writeCertificate(folder.resolve("new-ca.crt")));
    TestCertificate former = TestTls.CA.sign("client", "dns:former");
    TestCertificate renewed = newCa.sign("client", "dns:renewed");
    Path certificate = former.writeCertificate(folder.resolve("client.crt"));
    Path key = former.writeKey(folder.resolve("client.key"));
    try (KairosClient lasting =
        KairosClient.builder("https://localhost:" + edge().port())
            .trustedCertificates(nodeCa)
            .clientCertificate(certificate, key)
            .attempts(1)
            .build()) {
      lasting.list(TaskQuery.all());
      Files.writeString(trusted, Files.readString(trusted) + added);
      look();
      renewed.writeCertificate(certificate);
      renewed.writeKey(key);
      while (!callers.getLast().equals(List.of("dns:renewed"))) {
        lasting.list(TaskQuery.all());
      }
      newCa.writeCertificate(trusted);
      look();

      lasting.list(TaskQuery.all());
    }
    assertThat(callers.getFirst()).containsExactly("dns:former");
    assertThat(refusedCalls()).isZero();
  }

  /** By a protocol that was agreed on before, HTTP/1.1 does not become HTTP/2. */
  @Test
  void a_preface_of_http_2_does_not_switch_off_the_check_of_framing() throws Exception {
    start(Optional.empty());
    try (Socket plain = connect();
        Socket socket =
            TestTls.handshake(TestTls.trusting(Optional.empty()), plain, TestTls.HTTP_1)) {
      socket
          .getOutputStream()
          .write(
              """
              GET / HTTP/1.1
              host: localhost

              PRI * HTTP/2.0
              host: localhost

              POST / HTTP/1.1
              host: localhost
              content-length: 5
              transfer-encoding: chunked

              0

              """
                  .replace("\n", "\r\n")
                  .getBytes(US_ASCII));

      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
          .contains("transfer-encoding: must be chunked, and without a content-length");
    }
  }

  @Test
  void an_edge_with_a_wrong_key_does_not_start() {
    start(Optional.empty());
    TestTls.CA.sign("other").writeKey(folder.resolve("tls.key"));

    assertThatThrownBy(() ->
            HttpEdge.start(
                HttpConfig.local(0)
                    .with(TlsConfig.of(folder.resolve("tls.crt"), folder.resolve("tls.key"))),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                new View(),
                List.of()))
        .isInstanceOf(UnusableTlsException.class);
  }
}
