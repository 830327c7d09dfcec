package io.kairos.edge.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.kairos.edge.HttpEdge;
import io.kairos.edge.NodeServices;
import io.kairos.edge.NodeView;
import io.kairos.edge.WrittenAudit;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallersConfig;
import io.kairos.edge.session.DashboardConfig;
import io.kairos.edge.tls.TestTls;
import io.kairos.engine.audit.AuditedCall;
import io.kairos.engine.poll.StepPolling;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An edge on a free port with a scripted node behind, and a client for each of its doors. As an
 * extension of a test class it has another node for each test, and is closed after the last.
 */
final class Edge implements AutoCloseable, BeforeEachCallback, AfterAllCallback {
  static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  static final int MAX_PAYLOAD = 1_000;
  static final int MAX_PENDING = 4_000;

  private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();

  volatile ScriptedTasks tasks = new ScriptedTasks();
  volatile ScriptedMessages messages = new ScriptedMessages();
  volatile HeldSchedules schedules = new HeldSchedules();
  volatile ScriptedPools pools = new ScriptedPools();
  volatile ScriptedPolling polling = new ScriptedPolling();
  volatile WrittenAudit audit = new WrittenAudit();
  volatile ScriptedCluster cluster = new ScriptedCluster();
  volatile ScriptedWorkers workers = new ScriptedWorkers();
  volatile boolean ready = true;

  /** True while a refusal cannot even be recorded. */
  volatile boolean auditIsBroken;

  volatile boolean hasBroker = true;

  /** What the node's clock shows. */
  volatile Instant time = NOW;

  /** The thread that last asked for the time, which is where a request is read. */
  volatile String lastReader = "";

  final ManagedChannel channel;
  private final MockClock clock = new MockClock();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock);
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .sslContext(TestTls.trusting(Optional.empty()))
          .build();
  private final HttpEdge edge;

  Edge(CallerConfig... callers) {
    this(List.of(), callers);
  }

  /**
   * The same.
   *
   * @param more services beside those of a node
   */
  Edge(List<BindableService> more, CallerConfig... callers) {
    this(more, HttpConfig.of(LOCAL, 0, MAX_PAYLOAD, List.of(callers)));
  }

  /** Without callers, and with so few bytes in flight. */
  static Edge withBytesInFlight(long most) {
    return new Edge(
        List.of(), new HttpConfig(LOCAL, 0, MAX_PAYLOAD, most, 4_000, CallersConfig.NONE));
  }

  /** With a dashboard. */
  static Edge with(DashboardConfig dashboard, List<BindableService> more, CallerConfig... callers) {
    return new Edge(more, HttpConfig.of(LOCAL, 0, MAX_PAYLOAD, List.of(callers)).with(dashboard));
  }

  private Edge(List<BindableService> more, HttpConfig config) {
    NodeView view = new View();
    List<BindableService> services =
        new ArrayList<>(NodeServices.of(view, config, MAX_PENDING, this::now));
    services.addAll(more);
    this.edge = HttpEdge.start(TestTls.overTls(config), registry, view, services);
    this.channel = connect();
  }

  private Instant now() {
    lastReader = Thread.currentThread().getName();
    return time;
  }

  /** Lets time go by. */
  void pass(Duration length) {
    clock.add(length);
  }

  /** A connection of its own. */
  ManagedChannel connect() {
    return NettyChannelBuilder.forAddress(
            LOCAL.getHostAddress(), edge.port(), TestTls.credentials())
        .build();
  }

  /** Puts another node behind the same edge, which takes seconds to stop, two minutes later. */
  @Override
  public void beforeEach(ExtensionContext context) {
    clock.add(Duration.ofMinutes(2));
    renew();
  }

  /** Puts another node behind the same edge. */
  void renew() {
    tasks = new ScriptedTasks();
    messages = new ScriptedMessages();
    schedules = new HeldSchedules();
    pools = new ScriptedPools();
    polling = new ScriptedPolling();
    audit = new WrittenAudit();
    cluster = new ScriptedCluster();
    workers = new ScriptedWorkers();
    ready = true;
    auditIsBroken = false;
    hasBroker = true;
  }

  /** A connection on which HTTP/1.1 can be written by hand. */
  Socket socket() throws IOException {
    return TestTls.over(new Socket(LOCAL, port()), TestTls.HTTP_1);
  }

  /** What comes back for these words of HTTP/1.1. */
  String raw(String words) throws IOException {
    try (Socket socket = socket()) {
      socket.getOutputStream().write(words.replace("\n", "\r\n").getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  private final class View implements NodeView {
    @Override
    public String greeting() {
      return "";
    }

    @Override
    public List<String> obstacles() {
      return ready ? List.of() : List.of("the node is starting");
    }

    @Override
    public Optional<ReadyNode.Parts> parts() {
      return ready
          ? Optional.of(
              new ReadyNode.Parts(
                  tasks,
                  hasBroker ? messages : null,
                  schedules,
                  pools,
                  audit.trail,
                  cluster,
                  workers))
          : Optional.empty();
    }

    @Override
    public void refused(AuditedCall call, String outcome) {
      if (auditIsBroken) {
        throw new IllegalStateException("for the test");
      }
      if (ready) {
        NodeView.super.refused(call, outcome);
      } else {
        var _ = audit.finished.refused(call, outcome);
      }
    }

    @Override
    public Optional<StepPolling> polling() {
      return ready ? Optional.of(polling.polling) : Optional.empty();
    }
  }

  /** Services of the node behind this edge, to be called without a connection. */
  List<BindableService> services() {
    return NodeServices.of(
        new View(), HttpConfig.of(LOCAL, 0, MAX_PAYLOAD, List.of()), MAX_PENDING, this::now);
  }

  int port() {
    return edge.port();
  }

  Channel as(@Nullable String token) {
    return token == null ? channel : with(Map.of("authorization", "Bearer " + token));
  }

  /** The channel, with these headers at each call. */
  Channel with(Map<String, String> headers) {
    Metadata metadata = new Metadata();
    headers.forEach((name, value) ->
        metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value));
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
  }

  /** Calls any method by gRPC with a request that is written as JSON. */
  <Q, A> A call(MethodDescriptor<Q, A> method, String json, @Nullable String token)
      throws IOException {
    return callBy(as(token), method, json);
  }

  static <Q, A> A callBy(Channel channel, MethodDescriptor<Q, A> method, String json)
      throws IOException {
    PrototypeMarshaller<Q> marshaller = (PrototypeMarshaller<Q>) method.getRequestMarshaller();
    Message.Builder request =
        ((Message) requireNonNull(marshaller.getMessagePrototype())).newBuilderForType();
    JsonFormat.parser().merge(json, request);
    return ClientCalls.blockingUnaryCall(
        channel, method, CallOptions.DEFAULT, marshaller.getMessageClass().cast(request.build()));
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(path)));
  }

  HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
    return send(json("POST", path, json));
  }

  HttpResponse<String> patch(String path, String json) throws IOException, InterruptedException {
    return send(json("PATCH", path, json));
  }

  HttpResponse<String> put(String path, String json) throws IOException, InterruptedException {
    return send(json("PUT", path, json));
  }

  HttpResponse<String> delete(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(path)).DELETE());
  }

  HttpRequest.Builder json(String method, String path, String json) {
    return HttpRequest.newBuilder(uri(path))
        .header("content-type", "application/json")
        .method(method, BodyPublishers.ofString(json));
  }

  URI uri(String path) {
    return URI.create(TestTls.scheme() + "://" + LOCAL.getHostAddress() + ":" + port() + path);
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  /** How many calls of a method have been answered with a code. */
  double answered(String method, Status.Code code) {
    return registry
        .get("kairos.edge.calls")
        .tags("method", method, "code", code.name())
        .counter()
        .count();
  }

  HttpClient http() {
    return http;
  }

  /** The node's side alone. */
  void stop() {
    edge.close();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    http.shutdownNow();
    http.close();
    edge.close();
  }
}
