package io.kairos.edge;

import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.ThreadFactories;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServerListener;
import com.linecorp.armeria.server.ServerTlsConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.grpc.GrpcServiceBuilder;
import io.grpc.BindableService;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.kairos.api.tls.UnusableTlsException;
import io.kairos.api.v1.Access.RequestSize;
import io.kairos.edge.access.AccessRules;
import io.kairos.edge.access.BoundedMessages;
import io.kairos.edge.access.CallBounds;
import io.kairos.edge.access.CallGate;
import io.kairos.edge.access.ConnectionBounds;
import io.kairos.edge.access.ConnectionRefusal;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.access.LargeRequests;
import io.kairos.edge.access.RequestSizes;
import io.kairos.edge.audit.AuditedCalls;
import io.kairos.edge.caller.KnownCallers;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.rest.OpenApiPage;
import io.kairos.edge.rest.RestDoor;
import io.kairos.edge.rest.RestErrors;
import io.kairos.edge.tls.ClientCertificate;
import io.kairos.edge.tls.ClientTrust;
import io.kairos.edge.tls.HandshakeFailures;
import io.kairos.edge.tls.TlsConfig;
import io.kairos.edge.tls.TlsHandshake;
import io.kairos.edge.tls.WatchedTls;
import io.kairos.edge.ui.Dashboard;
import io.kairos.edge.ui.ProcessFacts;
import io.kairos.engine.loop.Step;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.ClientAuth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the API by gRPC and REST, {@code /metrics}, {@code /healthz}, {@code /readyz}, a greeting
 * and the dashboard, on one port. Runs on threads of its own. It is started before the process can
 * work, so that {@code /readyz} can say what the process waits for.
 */
public final class HttpEdge implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpEdge.class);
  private static final int THREADS = 2;
  private static final MediaType PROMETHEUS =
      MediaType.parse("text/plain; version=0.0.4; charset=utf-8");

  /** After so long without a call, closing the connections should interrupt none. */
  private static final Duration QUIET = Duration.ofMillis(200);

  /** Calls that are under way at a stop are answered by then. */
  private static final Duration LONGEST_QUIET = Duration.ofSeconds(2);

  /** From the announcement that a connection closes to its end; longer than a call's way here. */
  private static final Duration DRAIN = Duration.ofMillis(500);

  private static final Duration LONGEST_STOP = Duration.ofSeconds(1);

  /** Beyond any method's own bound, which is smaller: see {@link CallBounds}. */
  private static final int LARGEST_OF_ALL = 64 << 20;

  /** End with the last connection; by default they would wait for two quiet seconds. */
  private final EventLoopGroup threads =
      EventLoopGroups.builder()
          .numThreads(THREADS)
          .threadFactory(ThreadFactories.newEventLoopThreadFactory("kairos-http", false))
          .gracefulShutdown(Duration.ZERO, LONGEST_STOP)
          .build();

  /** Parse large messages, which must not hold up other connections, as more threads would. */
  private final EventLoopGroup parsers =
      EventLoopGroups.builder()
          .numThreads(THREADS)
          .threadFactory(ThreadFactories.newEventLoopThreadFactory("kairos-parse", false))
          .gracefulShutdown(Duration.ZERO, LONGEST_STOP)
          .build();

  final Server server;
  private final KnownCallers callers;
  private final HttpConfig config;
  private final @Nullable WatchedTls tls;
  private final HandshakeFailures failures;

  /** Null where clients are asked for no certificates. */
  private final @Nullable ClientTrust clientTrust;

  private final Optional<Dashboard> dashboard;
  private volatile boolean closing;

  private HttpEdge(
      HttpConfig config,
      PrometheusMeterRegistry registry,
      ProcessView process,
      List<BindableService> own) {
    Clock clock = registry.config().clock();
    InstantSource wall = () -> Instant.ofEpochMilli(clock.wallTime());
    this.failures = new HandshakeFailures(registry);
    this.config = config;
    this.tls = config.tls().map(files -> watched(files, registry, wall)).orElse(null);
    this.clientTrust = clientTrust(tls, config, wall);
    ServerBuilder builder =
        Server.builder()
            .workerGroup(threads, true)
            .gracefulShutdownTimeout(QUIET, LONGEST_QUIET)
            .connectionDrainDuration(DRAIN)
            .decorator(this::sendAway)
            .maxNumConnections(config.maxConnections())
            .childChannelPipelineCustomizer(
                new ConnectionBounds(config, () -> new TlsHandshake(wall, failures))::accept)
            .http2MaxStreamsPerConnection(ConnectionBounds.MOST_CALLS)
            .maxRequestLength(LARGEST_OF_ALL)
            .unloggedExceptionsReportIntervalMillis(0) // RestErrors logs them
            .errorHandler(new RestErrors().orElse(ServerErrorHandler.ofDefault()));
    listenAt(builder);
    GrpcHealth health = new GrpcHealth(process, own);
    List<BindableService> services = new ArrayList<>(own);
    services.add(health.service());
    services.add(ProtoReflectionServiceV1.newInstance());
    AccessRules rules = AccessRules.of(services);
    this.callers = new KnownCallers(config.callers(), wall, clock::monotonicTime);
    AuditedCalls audit = new AuditedCalls(own, process::audit, process::refused);
    CallGate gate = new CallGate(rules, callers, clock::monotonicTime, audit);
    CallBounds bounds = new CallBounds(config, callers, registry);
    this.dashboard = Dashboard.of(config, callers, wall);
    addPages(builder, registry, process, gate, bounds);
    dashboard.ifPresent(pages ->
        pages.open(
            builder,
            page -> plain(gate, bounds, page),
            gate,
            rules,
            () ->
                new ProcessFacts(
                    process instanceof NodeView ? "node" : "replica", process.version())));
    GrpcService calls =
        calls(
            List.of(audit, gate, new CallCounts(registry)),
            own,
            services.subList(own.size(), services.size()));
    builder.service(
        get("/v1/openapi.json"), plain(gate, bounds, new OpenApiPage(calls.services())));
    addCalls(builder, calls, rules, bounds);
    RestDoor.open(
        builder,
        calls.services(),
        rules,
        bounds,
        call -> dashboard.map(pages -> pages.knowing(call)).orElse(call),
        parsers);
    builder.serverListener(ServerListener.builder().whenStarted(health::follow).build());
    this.server = builder.build();
  }

  /** The certificate in use, and its meters. */
  private static WatchedTls watched(TlsConfig config, MeterRegistry registry, InstantSource clock) {
    Counter refused =
        Counter.builder("kairos.edge.certificate.refused")
            .description("Changed files of TLS that cannot be used, so that the old ones stay")
            .register(registry);
    WatchedTls tls = new WatchedTls("certificates", config.files(), clock, refused::increment);
    Gauge.builder("kairos.edge.certificate.remaining", () -> remainingSeconds(tls, clock))
        .description("Time until the certificate of the HTTP edge expires")
        .baseUnit("seconds")
        .register(registry);
    return tls;
  }

  private static @Nullable ClientTrust clientTrust(
      @Nullable WatchedTls tls, HttpConfig config, InstantSource clock) {
    return tls == null || config.tls().flatMap(TlsConfig::clientCa).isEmpty()
        ? null
        : new ClientTrust(() -> tls.inUse().trusted(), clock);
  }

  private static double remainingSeconds(WatchedTls tls, InstantSource clock) {
    return tls.inUse()
        .expiry()
        .map(end -> Duration.between(clock.instant(), end).toSeconds())
        .orElse(0L);
  }

  /** One protocol only: what is not TLS is not answered where there is a certificate. */
  private void listenAt(ServerBuilder builder) {
    InetSocketAddress place = new InetSocketAddress(config.address(), config.port());
    if (tls == null) {
      builder.http(place);
      return;
    }
    TlsConfig files = config.tls().orElseThrow();
    ClientAuth unlessRequired =
        files.clientCa().isPresent() ? ClientAuth.OPTIONAL : ClientAuth.NONE;
    ClientAuth clients = files.requiresClients() ? ClientAuth.REQUIRE : unlessRequired;
    // Armeria offers TLS 1.2 and 1.3, without renegotiation.
    builder.https(place).tlsProvider(tls, ServerTlsConfig.builder().clientAuth(clients).build());
  }

  /** The pages that ask for no token. */
  private void addPages(
      ServerBuilder builder,
      PrometheusMeterRegistry registry,
      ProcessView process,
      CallGate gate,
      CallBounds bounds) {
    StatusPages pages = new StatusPages(process);
    builder
        .service(get("/"), plain(gate, bounds, text(process, dashboard.isPresent())))
        .service(get("/metrics"), plain(gate, bounds, metrics(registry)))
        .service(get("/healthz"), plain(gate, bounds, (_, _) -> pages.health()))
        .service(
            get("/readyz"),
            plain(gate, bounds, (context, _) -> pages.readiness(context.queryParam("door"))));
  }

  /**
   * The methods of all services, of which only our own have bounded messages.
   *
   * @param interceptors the innermost first; REST calls go through these as well
   */
  private static GrpcService calls(
      List<ServerInterceptor> interceptors,
      List<BindableService> own,
      List<BindableService> others) {
    GrpcServiceBuilder grpc =
        GrpcService.builder()
            .supportedSerializationFormats(GrpcSerializationFormats.PROTO)
            .useMethodMarshaller(true)
            .maxRequestMessageLength(LARGEST_OF_ALL)
            .intercept(interceptors);
    own.forEach(service -> grpc.addService(BoundedMessages.of(service)));
    others.forEach(grpc::addService);
    return grpc.build();
  }

  /** Serves gRPC; what may be large on threads of its own. */
  private void addCalls(
      ServerBuilder builder, GrpcService calls, AccessRules rules, CallBounds bounds) {
    for (Route route : calls.routes()) {
      String method = route.paths().getFirst().substring(1);
      RequestSize size = rules.size(method);
      builder.service(
          route,
          bounds.around(
              RequestSizes.isLarge(size) ? new LargeRequests(calls, parsers) : calls, size));
    }
  }

  /**
   * Starts to listen.
   *
   * @param services the services beside health and reflection
   * @throws PortTakenException when another process listens on the port
   * @throws UnusableTlsException when a file of TLS cannot be used
   */
  public static HttpEdge start(
      HttpConfig config,
      PrometheusMeterRegistry registry,
      ProcessView process,
      List<BindableService> services) {
    HttpEdge edge = new HttpEdge(config, registry, process, services);
    try {
      edge.server.start().join();
      edge.logStart();
      return edge;
    } catch (CompletionException e) {
      edge.close();
      if (e.getCause() instanceof IOException cause) {
        throw new PortTakenException(config.address(), config.port(), cause);
      }
      throw e;
    }
  }

  private void logStart() {
    LOG.atInfo()
        .addKeyValue("address", config.address().getHostAddress())
        .addKeyValue("port", port())
        .addKeyValue("tls", tls == null ? "none" : config.tls().orElseThrow())
        .log(tls == null ? "the API listens, without TLS" : "the API listens, by TLS only");
    if (tls == null && !config.address().isLoopbackAddress()) {
      LOG.warn(
          "other machines call the API without TLS, so tokens and payloads can be read on their way: set http.tls.certificate and http.tls.key, unless a proxy or the network encrypts");
    }
  }

  /** The port on which the edge listens. */
  public int port() {
    return server.activeLocalPort();
  }

  /** Steps that read credentials again when they change; they block. */
  public List<Step> upkeep() {
    return Stream.of(
            callers.upkeep().stream(),
            dashboard.stream().flatMap(pages -> pages.upkeep().stream()),
            Stream.<Step>ofNullable(tls))
        .flatMap(steps -> steps)
        .toList();
  }

  private static Route get(String path) {
    return Route.builder().exact(path).methods(HttpMethod.GET, HttpMethod.HEAD).build();
  }

  /**
   * A page that asks for no token. It has no body to be refused, so it is answered also while no
   * bytes are left for calls, as monitors need it. The bound on open calls holds for it, and the
   * metrics take room for their answer.
   */
  private static HttpService plain(CallGate gate, CallBounds bounds, HttpService page) {
    HttpService admitted =
        (context, request) -> {
          try {
            gate.admitPlain(request.headers());
          } catch (StatusRuntimeException e) {
            return RestErrors.of(e);
          }
          return page.serve(context, request);
        };
    return bounds.around(admitted, RequestSize.SMALL);
  }

  private static HttpService text(ProcessView process, boolean hasDashboard) {
    String more = hasDashboard ? "\nIn a browser, /ui is the dashboard.\n" : "";
    return (_, _) ->
        HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, process.greeting() + more);
  }

  /**
   * Scrapes off the threads of the connections, because a scrape takes some milliseconds. Who asks
   * while one is under way gets its result: thousands of requests at once cost one scrape.
   */
  private static HttpService metrics(PrometheusMeterRegistry registry) {
    AtomicReference<CompletableFuture<HttpData>> latest =
        new AtomicReference<>(CompletableFuture.completedFuture(HttpData.empty()));
    return (context, _) -> {
      CompletableFuture<HttpData> last = latest.get();
      CompletableFuture<HttpData> own = new CompletableFuture<>();
      if (last.isDone() && latest.compareAndSet(last, own)) {
        own.completeAsync(
            () -> HttpData.ofUtf8(registry.scrape()),
            context.blockingTaskExecutor().withoutContext());
      }
      LongPredicate room = CallBounds.answerRoom();
      return HttpResponse.of(
          latest
              .get()
              .thenApply(text ->
                  room.test(text.length())
                      ? HttpResponse.of(HttpStatus.OK, PROMETHEUS, text)
                      : RestErrors.of(CallRefusals.of(Refusals.noBytesLeft()))));
    };
  }

  /**
   * Answers the caller, and closes the connection after that once the edge is closing. It closes it
   * also when the client's certificate counts no more, and then has the call refused.
   */
  private HttpResponse sendAway(
      HttpService service, ServiceRequestContext context, HttpRequest request) throws Exception {
    String objection = clientTrust == null ? null : clientTrust.objection(context);
    if (closing || objection != null) {
      var _ = context.initiateConnectionShutdown();
    }
    if (objection != null) {
      failures.refusedCall(
          requireNonNull(context.remoteAddress().getAddress()),
          ClientCertificate.names(context),
          objection);
      ConnectionRefusal.set(context, refusal(objection, request));
    }
    return service.serve(context, request);
  }

  /**
   * Clients of gRPC keep connections for long, so theirs may be older than the certificate that
   * they have now: they try again, and the handshake of their next connection judges that one.
   */
  private static StatusRuntimeException refusal(String objection, HttpRequest request) {
    return RestErrors.isGrpc(request.headers())
        ? CallRefusals.of(
            Refusals.notYet(
                objection + ", and this connection closes; nothing has been done: connect anew"))
        : CallRefusals.of(Refusals.unauthenticated(objection));
  }

  /**
   * Begins to close, and returns at once: every call that arrives is answered, and its connection
   * closed after that. When no more calls arrive, all connections are closed.
   */
  public void sendCallersAway() {
    closing = true;
    var _ = server.closeAsync();
  }

  /** Completes {@link #sendCallersAway}. */
  @Override
  public void close() {
    sendCallersAway();
    Duration patience = LONGEST_QUIET.plus(DRAIN).plus(LONGEST_STOP);
    try {
      // The server's own end comes two seconds after that of its connections.
      if (!threads.terminationFuture().await(patience.toMillis())) {
        LOG.info("some connections are still open, they are cut");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      var _ = threads.shutdownGracefully();
      var _ = parsers.shutdownGracefully();
    }
  }
}
