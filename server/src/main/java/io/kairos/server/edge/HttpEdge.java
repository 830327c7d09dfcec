package io.kairos.server.edge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.Server;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;

/**
 * Serves {@code /metrics}, {@code /healthz}, {@code /readyz} and a page that says what this is, on
 * one port. Runs on threads of its own; started before the node can work, so that a waiting node
 * can say what it waits for.
 */
public final class HttpEdge implements AutoCloseable {
  private static final int THREADS = 2;
  private static final MediaType PROMETHEUS =
      MediaType.parse("text/plain; version=0.0.4; charset=utf-8");
  private static final Duration QUIET = Duration.ZERO;
  private static final Duration LONGEST_STOP = Duration.ofSeconds(1);

  private final ObjectMapper json = new ObjectMapper();
  private final Server server;

  private HttpEdge(InetSocketAddress address, PrometheusMeterRegistry registry, NodeView node) {
    this.server =
        Server.builder()
            .http(address)
            .workerGroup(THREADS)
            .gracefulShutdownTimeout(QUIET, LONGEST_STOP)
            .service(get("/"), text(node))
            .service(get("/metrics"), metrics(registry))
            .service(get("/healthz"), (_, _) -> verdict("healthy", node.ailments(), Map.of()))
            .service(get("/readyz"), (_, _) -> verdict("ready", node.obstacles(), node.details()))
            .build();
  }

  /**
   * Listens.
   *
   * @throws PortTakenException when another process listens there
   */
  public static HttpEdge start(
      InetAddress address, int port, PrometheusMeterRegistry registry, NodeView node) {
    HttpEdge edge = new HttpEdge(new InetSocketAddress(address, port), registry, node);
    try {
      edge.server.start().join();
      return edge;
    } catch (CompletionException e) {
      edge.close();
      if (e.getCause() instanceof IOException cause) {
        throw new PortTakenException(address, port, cause);
      }
      throw e;
    }
  }

  /** The port that is listened on. */
  public int port() {
    return server.activeLocalPort();
  }

  private static Route get(String path) {
    return Route.builder().exact(path).methods(HttpMethod.GET, HttpMethod.HEAD).build();
  }

  private static HttpService text(NodeView node) {
    return (_, _) -> HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, node.greeting());
  }

  /** Scraping takes some milliseconds and stays off the threads that serve connections. */
  private static HttpService metrics(PrometheusMeterRegistry registry) {
    return (context, _) ->
        HttpResponse.of(
            () -> HttpResponse.of(HttpStatus.OK, PROMETHEUS, registry.scrape()),
            context.blockingTaskExecutor());
  }

  private HttpResponse verdict(String word, List<String> reasons, Map<String, Object> details)
      throws JsonProcessingException {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put(word, reasons.isEmpty());
    body.put("reasons", reasons);
    body.putAll(details);
    return HttpResponse.of(
        reasons.isEmpty() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE,
        MediaType.JSON_UTF_8,
        json.writeValueAsString(body) + "\n");
  }

  @Override
  public void close() {
    server.close();
  }
}
