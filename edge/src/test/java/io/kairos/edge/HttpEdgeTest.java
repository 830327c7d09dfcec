package io.kairos.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.server.grpc.GrpcService;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.call.ReadyNode;
import io.kairos.edge.rest.RestDoor;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpEdgeTest {
  private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private volatile Supplier<List<String>> ailments = List::of;
  private volatile List<String> obstacles = List.of();
  private volatile Map<String, List<String>> doors = Map.of();
  private final HttpEdge edge = start(0);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private HttpEdge start(int port) {
    HttpConfig config = HttpConfig.local(port);
    NodeView view = new View();
    return HttpEdge.start(
        config, registry, view, NodeServices.of(view, config, 50_000, InstantSource.system()));
  }

  private final class View implements NodeView {
    @Override
    public String greeting() {
      return "This is a node.";
    }

    @Override
    public List<String> ailments() {
      return ailments.get();
    }

    @Override
    public List<String> obstacles() {
      return obstacles;
    }

    @Override
    public Map<String, List<String>> doors() {
      return doors;
    }

    @Override
    public Optional<ReadyNode.Parts> parts() {
      return Optional.empty();
    }

    @Override
    public Map<String, Object> details() {
      return Map.of("held", 3);
    }
  }

  @AfterEach
  void close() {
    client.close();
    edge.close();
  }

  private HttpResponse<String> ask(String method, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://" + LOCAL.getHostAddress() + ":" + edge.port() + path);
    return client.send(
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void metrics_are_what_prometheus_scrapes() throws Exception {
    registry.counter("kairos.delay.gone").increment();

    HttpResponse<String> answer = ask("GET", "/metrics");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
    assertThat(answer.body()).contains("kairos_delay_gone_total 1.0");
  }

  @Test
  void a_healthy_node_that_is_not_ready_says_why() throws Exception {
    obstacles = List.of("the node is starting");

    HttpResponse<String> health = ask("GET", "/healthz");
    HttpResponse<String> ready = ask("GET", "/readyz");

    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(health.body()).isEqualTo("{\"healthy\":true,\"reasons\":[]}\n");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body())
        .isEqualTo("{\"ready\":false,\"reasons\":[\"the node is starting\"],\"held\":3}\n");
  }

  @Test
  void a_door_that_is_closed_alone_leaves_the_node_ready_and_is_asked_for_by_name()
      throws Exception {
    doors = new TreeMap<>(Map.of("delay", List.of("no broker answers"), "tasks", List.of()));

    HttpResponse<String> ready = ask("GET", "/readyz");
    HttpResponse<String> delay = ask("GET", "/readyz?door=delay");

    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(ready.body())
        .isEqualTo(
            "{\"ready\":true,\"reasons\":[],\"doors\":{"
                + "\"delay\":{\"ready\":false,\"reasons\":[\"no broker answers\"]},"
                + "\"tasks\":{\"ready\":true,\"reasons\":[]}},\"held\":3}\n");
    assertThat(delay.statusCode()).isEqualTo(503);
    assertThat(delay.body()).isEqualTo("{\"ready\":false,\"reasons\":[\"no broker answers\"]}\n");
    assertThat(ask("GET", "/readyz?door=tasks").statusCode()).isEqualTo(200);
    assertThat(ask("HEAD", "/readyz?door=delay").statusCode()).isEqualTo(503);
    HttpResponse<String> unknown = ask("GET", "/readyz?door=dealy");
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unknown.body()).contains("delay, tasks");

    obstacles = List.of("the node is stopping");

    assertThat(ask("GET", "/readyz?door=tasks").statusCode()).isEqualTo(503);
    assertThat(ask("GET", "/readyz?door=tasks").body()).contains("the node is stopping");
    assertThat(ask("GET", "/readyz?door=dealy").statusCode()).isEqualTo(404);
    assertThat(ask("GET", "/readyz?door=dealy").body()).contains("delay, tasks");
  }

  @Test // CH-B12
  void a_ready_node_answers_200_and_a_sick_one_503() throws Exception {
    assertThat(ask("GET", "/readyz").statusCode()).isEqualTo(200);
    assertThat(ask("HEAD", "/readyz").statusCode()).isEqualTo(200);

    ailments = () -> List.of("the fire loop has been in one round for more than 60 s");

    assertThat(ask("GET", "/healthz").statusCode()).isEqualTo(503);
  }

  /** What is added to these is to be looked at: is it for everybody? */
  @Test
  void only_these_are_open_to_whoever_reaches_the_port() {
    assertThat(edge.server.config().serviceConfigs())
        .filteredOn(served -> served.service().as(GrpcService.class) == null)
        .filteredOn(served -> served.service().as(RestDoor.class) == null)
        .extracting(served -> served.route().patternString())
        .containsExactlyInAnyOrder(
            "/",
            "/metrics",
            "/healthz",
            "/readyz",
            "/v1/openapi.json",
            "/ui",
            "/ui/*",
            "/ui/session",
            "/ui/login",
            "/ui/login/:issuer",
            "/ui/logout",
            "/ui/callback");
  }

  @Test
  void the_root_says_what_this_is_and_nothing_else_is_there() throws Exception {
    assertThat(ask("GET", "/").body())
        .isEqualTo("This is a node.\nIn a browser, /ui is the dashboard.\n");
    assertThat(ask("GET", "/secrets").statusCode()).isEqualTo(404);
    assertThat(ask("POST", "/metrics").statusCode()).isBetween(400, 499);
  }

  @Test
  void an_error_in_one_answer_is_not_the_end_of_the_edge() throws Exception {
    ailments =
        () -> {
          throw new StackOverflowError("injected");
        };
    for (int i = 0; i < 5; i++) {
      assertThat(ask("GET", "/healthz").statusCode()).isEqualTo(500);
    }

    ailments = List::of;

    assertThat(ask("GET", "/healthz").statusCode()).isEqualTo(200);
  }

  @Test
  void a_taken_port_is_told_with_the_key_that_changes_it() {
    assertThatThrownBy(() -> start(edge.port()).close())
        .isInstanceOf(PortTakenException.class)
        .hasMessageContaining("port " + edge.port())
        .hasMessageContaining("http.port");
  }
}
