package io.kairos.edge.call;

import static io.kairos.edge.call.ApiMethods.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.kairos.api.v1.AccessProto;
import io.kairos.api.v1.AuditServiceGrpc;
import io.kairos.api.v1.BatchServiceGrpc;
import io.kairos.api.v1.ClusterServiceGrpc;
import io.kairos.api.v1.CronServiceGrpc;
import io.kairos.api.v1.HandlerServiceGrpc;
import io.kairos.api.v1.LimitServiceGrpc;
import io.kairos.api.v1.PollServiceGrpc;
import io.kairos.api.v1.PoolServiceGrpc;
import io.kairos.api.v1.RouteServiceGrpc;
import io.kairos.api.v1.ScheduleServiceGrpc;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.WorkerServiceGrpc;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.edge.access.AccessRules;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.Hashes;
import io.kairos.edge.cron.CronCalls;
import io.kairos.edge.tls.TestTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every method of nodes and replicas and every role, from the descriptors: who may call what. The
 * replica has stopped, and says so to those who may call it.
 */
class AccessTest {
  @RegisterExtension
  static final Edge EDGE =
      new Edge(
          List.of(
              new CronCalls(
                  new StoppedReplica(), Edge.MAX_PAYLOAD, new SplittableRandom(7), () -> Edge.NOW)),
          Stream.of(CallerRole.values()).map(AccessTest::caller).toArray(CallerConfig[]::new));

  /** The same without callers: everybody on this machine may call. */
  @RegisterExtension
  static final Edge OPEN =
      new Edge(
          List.of(
              new CronCalls(
                  new StoppedReplica(),
                  Edge.MAX_PAYLOAD,
                  new SplittableRandom(7),
                  () -> Edge.NOW)));

  private static CallerConfig caller(CallerRole role) {
    return new CallerConfig(
        CallerConfig.word(role),
        Hashes.of(token(role)),
        Set.of(role),
        role == CallerRole.ADMIN ? Set.of("night-shift/") : Set.of());
  }

  private static String token(CallerRole role) {
    return "the token of " + role;
  }

  static Stream<MethodDescriptor<?, ?>> methods() {
    return ApiMethods.all();
  }

  static Stream<Arguments> matrix() {
    return ApiMethods.byRole();
  }

  /** An empty request: whoever may call is told what is wrong with it, or is answered. */
  private static Status.Code grpc(MethodDescriptor<?, ?> method, String token) throws IOException {
    try {
      EDGE.call(method, "{}", token);
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  private static HttpResponse<String> rest(MethodDescriptor<?, ?> method, String authorization)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(EDGE, method);
    if (!authorization.isEmpty()) {
      request.header("authorization", authorization);
    }
    return EDGE.send(request);
  }

  /** An empty one. */
  private static HttpRequest.Builder request(Edge edge, MethodDescriptor<?, ?> method) {
    HttpRule rule = options(method).getExtension(AnnotationsProto.http);
    String path =
        rule.getGet() + rule.getPut() + rule.getPost() + rule.getPatch() + rule.getDelete();
    URI uri = edge.uri(path.replaceAll("\\{[\\w.]+}", "7"));
    return HttpRequest.newBuilder(uri)
        .method(rule.getPatternCase().name(), BodyPublishers.noBody());
  }

  @Test
  void what_a_caller_schedules_has_its_name_as_the_maker_of_new_queues() throws Exception {
    EDGE.call(
        TaskServiceGrpc.getScheduleTaskMethod(), "{\"handler\": \"h\"}", token(CallerRole.SUBMIT));
    OPEN.call(TaskServiceGrpc.getScheduleTaskMethod(), "{\"handler\": \"h\"}", "");

    assertThat(EDGE.tasks.scheduled.getLast().maker()).isEqualTo(QueueMaker.caller("submit"));
    assertThat(OPEN.tasks.scheduled.getLast().maker()).isNull();
  }

  @Test
  void keys_that_are_reserved_for_a_caller_are_refused_to_others() throws Exception {
    for (String target :
        List.of(
            "\"handler\": \"h\"",
            "\"topic\": {\"name\": \"orders\"}, \"runAt\": \"2030-01-01T00:00:00Z\"")) {
      String task = "{%s, \"idempotency\": {\"key\": \"night-shift/1-10-7\"}}".formatted(target);
      assertThatThrownBy(() ->
              EDGE.call(TaskServiceGrpc.getScheduleTaskMethod(), task, token(CallerRole.SUBMIT)))
          .hasMessageContaining("idempotency.key: must not begin like those that are reserved");
      EDGE.call(
          TaskServiceGrpc.getScheduleTaskMethod(),
          task.replace("night-shift/", "night/"),
          token(CallerRole.SUBMIT));
      EDGE.call(TaskServiceGrpc.getScheduleTaskMethod(), task, token(CallerRole.ADMIN));
    }
  }

  @Test
  void queues_of_schedules_and_limits_are_made_for_the_caller_too() throws Exception {
    EDGE.call(
        ScheduleServiceGrpc.getCreateScheduleMethod(),
        "{\"schedule\": {\"name\": \"s\", \"every\": \"60s\", \"target\": {\"handler\": \"h\"}}}",
        token(CallerRole.ADMIN));
    EDGE.call(
        HandlerServiceGrpc.getUpdateQueueMethod(),
        "{\"queue\": {\"handler\": \"limited\", \"priority\": 7, \"maxRunning\": 1}}",
        token(CallerRole.ADMIN));

    Optional<QueueMaker> admin = Optional.of(QueueMaker.caller("admin"));
    assertThat(EDGE.tasks.queues.made)
        .containsEntry(new QueueName(new HandlerName("h"), QueueName.DEFAULT), admin)
        .containsEntry(new QueueName(new HandlerName("limited"), 7), admin);
  }

  @ParameterizedTest // PH-6, PH-F3
  @MethodSource("matrix")
  void a_caller_may_call_what_its_role_allows(MethodDescriptor<?, ?> method, CallerRole role)
      throws Exception {
    String needed = options(method).getExtension(AccessProto.role).name();
    boolean may = role == CallerRole.ADMIN || role.name().equals(needed);

    Status.Code code = grpc(method, token(role));
    HttpResponse<String> response = rest(method, "Bearer " + token(role));

    if (may) {
      assertThat(code).isIn(Status.Code.OK, Status.Code.INVALID_ARGUMENT, Status.Code.UNAVAILABLE);
      assertThat(response.statusCode()).isIn(200, 400, 404, 503);
    } else {
      assertThat(code).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(response.statusCode()).isEqualTo(403);
      assertThat(response.body())
          .contains("needs the role " + needed.toLowerCase(Locale.ROOT))
          .contains("the caller " + CallerConfig.word(role) + " does not have");
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void nobody_is_let_in_without_a_known_token(MethodDescriptor<?, ?> method) throws Exception {
    assertThat(grpc(method, "guessed")).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThatThrownBy(() -> EDGE.call(method, "{}", null))
        .hasMessageContaining("UNAUTHENTICATED: authorization: must be Bearer and a token");
    for (String authorization :
        List.of("", "Bearer", "Bearer ", "Bearer guessed", token(CallerRole.ADMIN), "Basic YTpi")) {
      HttpResponse<String> response = rest(method, authorization);

      assertThat(response.statusCode()).as(authorization).isEqualTo(401);
      assertThat(response.headers().firstValue("www-authenticate")).contains("Bearer");
      assertThat(response.body()).doesNotContain("guessed");
    }
  }

  @Test
  void health_is_open_and_reflection_is_for_callers() throws Exception {
    assertThat(
            HealthGrpc.newBlockingStub(EDGE.channel)
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatusValue())
        .isPositive();
    assertThatThrownBy(() -> Reflection.services(EDGE.channel))
        .hasMessageContaining("UNAUTHENTICATED");
    assertThat(Reflection.services(EDGE.as(token(CallerRole.READ)))).isNotEmpty();
  }

  @Test
  void refused_calls_of_both_doors_are_counted() throws Exception {
    double before = refused();

    grpc(TaskServiceGrpc.getGetTaskMethod(), "guessed");
    rest(TaskServiceGrpc.getGetTaskMethod(), "Bearer guessed");

    assertThat(refused() - before).isEqualTo(3);
  }

  /** After one more refusal, so that there is something to read. */
  private static double refused() throws IOException {
    grpc(TaskServiceGrpc.getGetTaskMethod(), "guessed");
    return EDGE.answered("kairos.v1.TaskService/GetTask", Status.Code.UNAUTHENTICATED);
  }

  @Test
  void every_service_that_is_served_has_been_looked_at_here() throws Exception {
    assertThat(Reflection.services(EDGE.as(token(CallerRole.READ))))
        .containsExactlyInAnyOrder(
            TaskServiceGrpc.SERVICE_NAME,
            BatchServiceGrpc.SERVICE_NAME,
            WorkerServiceGrpc.SERVICE_NAME,
            HandlerServiceGrpc.SERVICE_NAME,
            LimitServiceGrpc.SERVICE_NAME,
            ScheduleServiceGrpc.SERVICE_NAME,
            PoolServiceGrpc.SERVICE_NAME,
            PollServiceGrpc.SERVICE_NAME,
            AuditServiceGrpc.SERVICE_NAME,
            ClusterServiceGrpc.SERVICE_NAME,
            RouteServiceGrpc.SERVICE_NAME,
            CronServiceGrpc.SERVICE_NAME,
            "grpc.health.v1.Health",
            "grpc.reflection.v1.ServerReflection");
  }

  @Test
  void a_method_without_a_rule_is_not_served() {
    MethodDescriptor<?, ?> method =
        TaskServiceGrpc.getGetTaskMethod().toBuilder()
            .setFullMethodName("kairos.v1.Other/Get")
            .setSchemaDescriptor(null)
            .build();

    assertThatThrownBy(() ->
            AccessRules.of(
                List.of(() ->
                    ServerServiceDefinition.builder("kairos.v1.Other")
                        .addMethod(method, (_, _) -> null)
                        .build())))
        .hasMessageContaining("kairos.v1.Other/Get says nobody who may call it");
  }

  @Test
  void without_callers_whoever_names_this_machine_may_call_but_no_page_that_resolves_to_it()
      throws Exception {
    assertThat(OPEN.raw("GET /v1/tasks HTTP/1.1\nHost: evil.example:7070\nConnection: close\n\n"))
        .startsWith("HTTP/1.1 403")
        .contains("the node answers to localhost and loopback addresses only");
    assertThat(OPEN.raw("GET /v1/tasks HTTP/1.1\nHost: [::1]:7070\nConnection: close\n\n"))
        .startsWith("HTTP/1.1 200");
    assertThat(
            OPEN.send(
                    HttpRequest.newBuilder(
                        URI.create(TestTls.scheme() + "://localhost:" + OPEN.port() + "/v1/tasks")))
                .statusCode())
        .isEqualTo(200);
  }

  static Stream<MethodDescriptor<?, ?>> changes() {
    return methods()
        .filter(method -> !options(method).getExtension(AnnotationsProto.http).hasGet());
  }

  /** What a browser adds to the requests of a page that is not the node's. */
  static Stream<Map<String, String>> othersPages() {
    return Stream.of(
        Map.of("Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"),
        Map.of("Origin", "https://evil.example"),
        Map.of("Origin", "null"),
        Map.of("Origin", "http://localhost:1", "Sec-Fetch-Site", "same-site"),
        Map.of("Origin", (TestTls.ON ? "http" : "https") + "://127.0.0.1:" + OPEN.port()),
        Map.of("Sec-Fetch-Site", "cross-site"),
        Map.of("Sec-Fetch-Site", "same-site"));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void without_callers_no_page_of_others_changes_anything(MethodDescriptor<?, ?> method)
      throws Exception {
    for (Map<String, String> page : othersPages().toList()) {
      HttpRequest.Builder request = request(OPEN, method);
      page.forEach(request::header);
      HttpResponse<String> response = OPEN.send(request);

      assertThat(response.statusCode()).as("%s", page).isEqualTo(403);
      assertThat(response.headers().firstValue("content-type"))
          .contains("application/problem+json");
      assertThat(response.body())
          .contains("no web page but the node's own may ask or change anything")
          .contains("configure http.callers");
      assertThatThrownBy(() -> Edge.callBy(OPEN.with(page), method, "{}"))
          .hasMessageContaining("PERMISSION_DENIED: without http.callers no web page");
    }
  }

  @ParameterizedTest
  @MethodSource("changes")
  void what_the_nodes_own_page_changes_has_the_type_of_json(MethodDescriptor<?, ?> method)
      throws Exception {
    Map<String, String> own =
        Map.of(
            "Origin",
            TestTls.scheme() + "://127.0.0.1:" + OPEN.port(),
            "Sec-Fetch-Site",
            "same-origin");
    HttpRequest.Builder request = request(OPEN, method);
    own.forEach(request::header);
    HttpResponse<String> unmarked = OPEN.send(request);
    assertThat(unmarked.statusCode()).isEqualTo(403);
    assertThat(unmarked.body()).contains("needs the header x-kairos-ui: 1");
    if (options(method).getExtension(AnnotationsProto.http).hasDelete()) {
      return; // a browser asks before it sends one to another site, whatever its type
    }
    request.header("x-kairos-ui", "1");
    HttpResponse<String> untyped = OPEN.send(request);

    assertThat(untyped.statusCode()).isEqualTo(400);
    assertThat(untyped.body()).contains("content-type: must be application/json");
    HttpResponse<String> typed = OPEN.send(request.header("content-type", "application/json"));
    assertThat(typed.statusCode()).isNotEqualTo(403);
    assertThat(typed.body()).doesNotContain("content-type");
  }

  @Test
  void a_page_of_others_may_lead_to_the_node_and_ask_for_nothing() throws Exception {
    Map<String, String> other = Map.of("Sec-Fetch-Site", "cross-site");
    for (String path : List.of("/", "/metrics", "/healthz", "/readyz", "/v1/tasks")) {
      HttpRequest.Builder request = HttpRequest.newBuilder(OPEN.uri(path));
      other.forEach(request::header);
      HttpResponse<String> asked = OPEN.send(request);
      HttpResponse<String> followed =
          OPEN.send(
              request.header("Sec-Fetch-Mode", "navigate").header("Sec-Fetch-Dest", "document"));

      assertThat(asked.statusCode()).as(path).isEqualTo(403);
      assertThat(asked.headers().firstValue("content-type")).contains("application/problem+json");
      assertThat(followed.statusCode()).as(path).isEqualTo(200);
    }
  }

  @Test
  void without_callers_every_page_of_the_node_wants_its_name_and_no_proxy() throws Exception {
    for (String path : List.of("/", "/metrics", "/healthz", "/readyz", "/v1/tasks")) {
      assertThat(OPEN.raw("GET " + path + " HTTP/1.1\nHost: evil.example\nConnection: close\n\n"))
          .startsWith("HTTP/1.1 403");
      for (String header :
          List.of(
              "Forwarded: for=10.0.0.1",
              "X-Forwarded-For: 10.0.0.1",
              "X-Forwarded-Prefix: /kairos",
              "X-Real-IP: 10.0.0.1",
              "Via: 1.1 proxy")) {
        assertThat(
                OPEN.raw(
                    "GET %s HTTP/1.1\nHost: localhost\n%s\nConnection: close\n\n"
                        .formatted(path, header)))
            .startsWith("HTTP/1.1 403")
            .contains("a proxy needs http.callers");
      }
    }
  }

  @Test
  void a_change_has_the_type_of_json_also_without_a_body() throws Exception {
    String pause =
        """
        POST /v1/schedules/nightly:pause HTTP/1.1
        Host: localhost
        Content-Length: 0
        Connection: close
        """;

    assertThat(OPEN.raw(pause + "\n"))
        .startsWith("HTTP/1.1 400")
        .contains("content-type: must be application/json");
    assertThat(OPEN.raw(pause + "Content-Type: application/json\n\n"))
        .startsWith("HTTP/1.1 404")
        .contains("there is no schedule");
  }
}
