package io.kairos.edge.call;

import static io.kairos.edge.call.ApiMethods.options;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.kairos.api.v1.Access.Role;
import io.kairos.api.v1.AccessProto;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.Hashes;
import io.kairos.edge.cron.CronCalls;
import io.kairos.edge.session.DashboardConfig;
import io.kairos.edge.session.SessionKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every method and every way in which a session may be misused, from the descriptors. */
class SessionMatrixTest {
  private static final Path KEY = key();
  private static final CallerConfig GONE = caller("gone", CallerRole.ADMIN);

  @RegisterExtension static final Edge EDGE = edge(false, KEY, callers());

  /** Of the same nodes, with one caller more. */
  @RegisterExtension
  static final Edge FORMER =
      edge(
          false,
          KEY,
          Stream.concat(Stream.of(callers()), Stream.of(GONE)).toArray(CallerConfig[]::new));

  /** Of other nodes. */
  @RegisterExtension static final Edge FOREIGN = edge(false, key(), callers());

  @RegisterExtension static final Edge READS = edge(true, KEY, callers());
  @RegisterExtension static final Edge LATER = edge(false, KEY, callers());
  @RegisterExtension static final Edge OPEN_READS = edge(true, KEY);

  private static final Map<String, String> COOKIES = new HashMap<>();

  private static Path key() {
    try {
      Path file = Files.createTempFile("session", "key");
      file.toFile().deleteOnExit();
      return Files.writeString(file, HexFormat.of().formatHex(SessionKeys.random()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CallerConfig caller(String name, CallerRole role) {
    return new CallerConfig(name, Hashes.of("token of " + name), Set.of(role));
  }

  private static CallerConfig[] callers() {
    return Stream.of(CallerRole.values())
        .map(role -> caller(CallerConfig.word(role), role))
        .toArray(CallerConfig[]::new);
  }

  private static Edge edge(boolean readsOnly, Path key, CallerConfig... callers) {
    List<BindableService> cron =
        List.of(
            new CronCalls(
                new StoppedReplica(), Edge.MAX_PAYLOAD, new SplittableRandom(7), () -> Edge.NOW));
    return Edge.with(
        new DashboardConfig(
            Optional.empty(), readsOnly, Optional.of(key), Duration.ofDays(7), Optional.empty()),
        cron,
        callers);
  }

  @BeforeAll
  static void logIn() throws Exception {
    for (CallerRole role : CallerRole.values()) {
      COOKIES.put(CallerConfig.word(role), login(EDGE, CallerConfig.word(role)));
    }
    COOKIES.put("gone", login(FORMER, "gone"));
    COOKIES.put("foreign", login(FOREIGN, "admin"));
    String good = requireNonNull(COOKIES.get("admin"));
    int middle = good.length() / 2;
    COOKIES.put(
        "forged",
        good.substring(0, middle)
            + (good.charAt(middle) == 'A' ? 'B' : 'A')
            + good.substring(middle + 1));
  }

  private static String login(Edge edge, String caller) throws Exception {
    HttpResponse<String> answer =
        edge.send(
            edge.json("POST", "/ui/login", "{\"token\": \"token of " + caller + "\"}")
                .header("x-kairos-ui", "1")
                .header("sec-fetch-site", "same-origin"));
    assertThat(answer.statusCode()).isEqualTo(200);
    String set = answer.headers().firstValue("set-cookie").orElseThrow();
    return set.substring(0, set.indexOf(';'));
  }

  static Stream<MethodDescriptor<?, ?>> methods() {
    return ApiMethods.all();
  }

  static Stream<Arguments> matrix() {
    return ApiMethods.byRole();
  }

  private static HttpResponse<String> call(
      Edge edge, MethodDescriptor<?, ?> method, Map<String, String> headers) throws Exception {
    HttpRule rule = options(method).getExtension(AnnotationsProto.http);
    String path =
        rule.getGet() + rule.getPut() + rule.getPost() + rule.getPatch() + rule.getDelete();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(edge.uri(path.replaceAll("\\{[\\w.]+}", "7")))
            .method(rule.getPatternCase().name(), BodyPublishers.noBody());
    headers.forEach(request::header);
    return edge.send(request);
  }

  private static Map<String, String> page(String session) {
    Map<String, String> headers = new HashMap<>();
    headers.put("cookie", requireNonNull(COOKIES.get(session)));
    headers.put("x-kairos-ui", "1");
    headers.put("sec-fetch-site", "same-origin");
    headers.put("content-type", "application/json");
    return headers;
  }

  @ParameterizedTest
  @MethodSource("matrix")
  void a_session_may_call_what_its_caller_may(MethodDescriptor<?, ?> method, CallerRole role)
      throws Exception {
    Role needed = options(method).getExtension(AccessProto.role);
    boolean may = role == CallerRole.ADMIN || role.name().equals(needed.name());

    int status = call(EDGE, method, page(CallerConfig.word(role))).statusCode();

    assertThat(status).isIn(may ? List.of(200, 400, 404, 503) : List.of(403));
    boolean isListed = session(EDGE, CallerConfig.word(role)).contains(name(method));
    assertThat(isListed).isEqualTo(may);
  }

  private static String name(MethodDescriptor<?, ?> method) {
    return "\"" + method.getFullMethodName() + "\":true";
  }

  private static String session(Edge edge, String session) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(edge.uri("/ui/session"));
    page(session).forEach(request::header);
    return edge.send(request).body();
  }

  @ParameterizedTest
  @MethodSource("methods")
  void a_session_is_nobodys_without_the_header_from_elsewhere_forged_or_over(
      MethodDescriptor<?, ?> method) throws Exception {
    Map<String, String> unmarked = page("admin");
    unmarked.remove("x-kairos-ui");
    assertThat(call(EDGE, method, unmarked).statusCode()).isEqualTo(401);
    unmarked.put("x-kairos-ui", "true");
    assertThat(call(EDGE, method, unmarked).statusCode()).isEqualTo(401);

    for (Map<String, String> other :
        List.of(
            Map.of("sec-fetch-site", "cross-site"),
            Map.of("sec-fetch-site", "same-site"),
            Map.of("sec-fetch-site", "cross-site", "origin", "https://evil.example"),
            Map.of("origin", "https://evil.example"),
            Map.of("origin", "http://127.0.0.1:1"),
            Map.of("origin", "null"))) {
      Map<String, String> elsewhere = page("admin");
      elsewhere.remove("sec-fetch-site");
      elsewhere.putAll(other);
      HttpResponse<String> answer = call(EDGE, method, elsewhere);
      assertThat(answer.statusCode()).as("%s", other).isEqualTo(403);
      assertThat(answer.body()).contains("the session counts for the process's own pages only");
    }
    for (String bad : List.of("gone", "foreign", "forged")) {
      assertThat(call(EDGE, method, page(bad)).statusCode()).as(bad).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void a_change_says_that_it_is_of_the_same_origin(MethodDescriptor<?, ?> method) throws Exception {
    Map<String, String> silent = page("admin");
    silent.remove("sec-fetch-site");
    boolean isGet = options(method).getExtension(AnnotationsProto.http).hasGet();

    int status = call(EDGE, method, silent).statusCode();

    assertThat(status == 403).isEqualTo(!isGet);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void no_session_counts_by_grpc(MethodDescriptor<?, ?> method) throws Exception {
    Map<String, String> headers = page("admin");
    headers.remove("content-type");
    assertThat(grpc(EDGE, method, headers)).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  private static Status.Code grpc(
      Edge edge, MethodDescriptor<?, ?> method, Map<String, String> headers) throws IOException {
    try {
      Edge.callBy(edge.with(headers), method, "{}");
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void a_dashboard_that_only_reads_changes_nothing(MethodDescriptor<?, ?> method) throws Exception {
    boolean isRead =
        options(method).getExtension(AccessProto.role) == Role.READ
            || options(method).getExtension(AnnotationsProto.http).hasGet();

    for (Edge edge : List.of(READS, OPEN_READS)) {
      HttpResponse<String> answer = call(edge, method, page("admin"));

      assertThat(answer.statusCode()).isIn(isRead ? List.of(200, 400, 404, 503) : List.of(403));
      assertThat(answer.body().contains("http.ui-read-only")).isEqualTo(!isRead);
      assertThat(session(edge, "admin").contains(name(method))).isEqualTo(isRead);
    }
    Map<String, String> program = Map.of("authorization", "Bearer token of admin");
    assertThat(call(READS, method, program).statusCode()).isNotEqualTo(403);
  }

  @Test
  void a_session_that_has_ended_is_refused_by_every_route() throws Exception {
    LATER.pass(Duration.ofDays(8));
    for (MethodDescriptor<?, ?> method : methods().toList()) {
      int status = call(LATER, method, page("read")).statusCode();
      assertThat(status).as(method.getFullMethodName()).isEqualTo(401);
    }
    assertThat(session(LATER, "read")).contains("\"login\":\"needed\"");
  }
}
