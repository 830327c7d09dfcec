package io.kairos.edge.ui;

import io.kairos.edge.HttpEdge;
import io.kairos.edge.NodeServices;
import io.kairos.edge.NodeView;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.caller.CallersConfig;
import io.kairos.edge.session.DashboardConfig;
import io.kairos.engine.loop.Step;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An edge on a free port with a node behind it that starts for ever, as a browser sees it. */
final class DashboardEdge implements AutoCloseable {
  /** What a browser adds to requests of the dashboard's scripts. */
  static final Map<String, String> PAGE =
      Map.of(
          "x-kairos-ui", "1", "sec-fetch-site", "same-origin", "content-type", "application/json");

  private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();

  private final MockClock clock = new MockClock();
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(Redirect.NEVER)
          .build();
  private final HttpEdge edge;

  DashboardEdge(CallersConfig callers, DashboardConfig dashboard) {
    HttpConfig plain = new HttpConfig(LOCAL, 0, 1_000, 64 << 20, 1_000, callers);
    HttpConfig config = plain.with(dashboard);
    clock.add(Duration.ofMillis(System.currentTimeMillis())); // issuers have the real time
    NodeView view = new View();
    edge =
        HttpEdge.start(
            config,
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), clock),
            view,
            NodeServices.of(view, config, 1_000, this::now));
  }

  private static final class View implements NodeView {
    @Override
    public String greeting() {
      return "This is a node.\n";
    }

    @Override
    public String version() {
      return "1.2.3";
    }

    @Override
    public List<String> obstacles() {
      return List.of("the node is starting");
    }

    @Override
    public Optional<ReadyNode.Parts> parts() {
      return Optional.empty();
    }
  }

  Instant now() {
    return Instant.ofEpochMilli(clock.wallTime());
  }

  void pass(Duration length) {
    clock.add(length);
  }

  /**
   * Reads files and fetches keys again: twice, because a changed file is taken when two looks have
   * found the same.
   */
  void keepUp() {
    edge.upkeep().forEach(Step::runOnce);
    edge.upkeep().forEach(Step::runOnce);
  }

  URI uri(String path) {
    return URI.create("http://" + LOCAL.getHostAddress() + ":" + edge.port() + path);
  }

  HttpResponse<byte[]> raw(String method, URI uri, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return http.send(request.build(), BodyHandlers.ofByteArray());
  }

  HttpResponse<byte[]> get(String path, Map<String, String> headers)
      throws IOException, InterruptedException {
    return raw("GET", uri(path), "", headers);
  }

  HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
    return get(path, Map.of());
  }

  HttpResponse<byte[]> post(String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    return raw("POST", uri(path), body, headers);
  }

  HttpResponse<byte[]> login(String token) throws IOException, InterruptedException {
    return post("/ui/login", "{\"token\": \"" + token + "\"}", PAGE);
  }

  static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** The cookies that an answer sets, as the next request sends them. */
  static Map<String, String> cookies(HttpResponse<?> response, Map<String, String> more) {
    List<String> set =
        response.headers().allValues("set-cookie").stream()
            .map(each -> each.substring(0, each.indexOf(';')))
            .filter(each -> !each.endsWith("="))
            .toList();
    Map<String, String> headers = new HashMap<>(more);
    headers.put("cookie", String.join("; ", set));
    return headers;
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
    edge.close();
  }
}
