package io.kairos.edge.ui;

import static io.kairos.edge.ui.DashboardEdge.PAGE;
import static io.kairos.edge.ui.DashboardEdge.cookies;
import static io.kairos.edge.ui.DashboardEdge.header;
import static io.kairos.edge.ui.DashboardEdge.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.CallerScope;
import io.kairos.edge.caller.CallersConfig;
import io.kairos.edge.caller.Hashes;
import io.kairos.edge.session.DashboardConfig;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionPageTest {
  private static final String CANCEL = "kairos.v1.TaskService/CancelTask";
  private static final String GET_TASK = "kairos.v1.TaskService/GetTask";
  private static final String LIST_AUDIT = "kairos.v1.AuditService/ListAuditEntries";

  @TempDir private Path folder;
  private DashboardEdge edge;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(folder.resolve("tokens"), "reader " + Hashes.of("listed") + "\n");
    edge = edge(DashboardConfig.DEFAULT);
  }

  private DashboardEdge edge(DashboardConfig config) {
    CallerConfig reader = new CallerConfig("reader", Hashes.of("fixed"), Set.of(CallerRole.READ));
    CallerConfig team =
        new CallerConfig("team", Hashes.of("team"), Set.of(CallerRole.ADMIN))
            .within(new CallerScope(Set.of("mail-*"), Set.of(), Set.of(), Set.of(), Set.of()));
    return new DashboardEdge(
        new CallersConfig(Optional.of(folder.resolve("tokens")), List.of(reader, team), List.of()),
        config);
  }

  @AfterEach
  void close() {
    edge.close();
  }

  private static JsonNode json(HttpResponse<byte[]> response) throws Exception {
    return new ObjectMapper().readTree(response.body());
  }

  private JsonNode session(Map<String, String> headers) throws Exception {
    HttpResponse<byte[]> answer = edge.get("/ui/session", headers);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, "cache-control")).isEqualTo("no-store");
    return json(answer);
  }

  private int list(Map<String, String> headers) throws Exception {
    return edge.get("/v1/handlers", headers).statusCode();
  }

  /** What a node that starts answers to those whom it has let in. */
  private static final int LET_IN = 503;

  @Test
  void a_token_begins_a_session_that_calls_as_its_caller_until_it_is_logged_out() throws Exception {
    assertThat(session(PAGE).toString())
        .isEqualTo(
            "{\"kind\":\"node\",\"version\":\"1.2.3\",\"login\":\"needed\",\"roles\":[],"
                + "\"readOnly\":false,\"issuers\":[],\"methods\":{}}");
    HttpResponse<byte[]> begun = edge.login("fixed");
    Map<String, String> cookie = cookies(begun, PAGE);

    assertThat(begun.statusCode()).isEqualTo(200);
    assertThat(header(begun, "set-cookie"))
        .startsWith("kairos-session=")
        .contains("HTTPOnly", "SameSite=Strict", "Path=/", "Max-Age=288")
        .doesNotContain("Secure", "Domain");
    assertThat(json(begun)).isEqualTo(session(cookie));
    assertThat(session(cookie).path("login").asText()).isEqualTo("done");
    assertThat(session(cookie).path("caller").asText()).isEqualTo("reader");
    assertThat(session(cookie).path("roles").toString()).isEqualTo("[\"read\"]");
    assertThat(session(cookie).path("expiresAt").asText())
        .isEqualTo(edge.now().plus(Duration.ofHours(8)).truncatedTo(ChronoUnit.SECONDS).toString());
    assertThat(session(cookie).path("methods").has(GET_TASK)).isTrue();
    assertThat(session(cookie).path("methods").has(CANCEL)).isFalse();
    assertThat(list(cookie)).isEqualTo(LET_IN);

    HttpResponse<byte[]> ended = edge.post("/ui/logout", "", cookie);

    assertThat(header(ended, "set-cookie")).startsWith("kairos-session=;").contains("Max-Age=0");
    assertThat(json(ended).path("login").asText()).isEqualTo("needed");
  }

  @Test
  void a_caller_with_names_of_its_own_sees_no_methods_of_the_whole() throws Exception {
    JsonNode methods = json(edge.login("team")).path("methods");

    assertThat(methods.has(CANCEL)).isTrue();
    assertThat(methods.has(LIST_AUDIT)).isFalse();
  }

  @Test
  void by_tls_the_cookie_is_for_this_host_and_tls_only() throws Exception {
    Map<String, String> proxied = new HashMap<>(PAGE);
    proxied.put("x-forwarded-proto", "https");
    HttpResponse<byte[]> begun = edge.post("/ui/login", "{\"token\":\"fixed\"}", proxied);
    Map<String, String> cookie = cookies(begun, proxied);

    assertThat(header(begun, "set-cookie")).startsWith("__Host-kairos-session=").contains("Secure");
    assertThat(list(cookie)).isEqualTo(LET_IN);
    cookie.computeIfPresent("cookie", (_, named) -> named.replace("__Host-", ""));
    assertThat(list(cookie)).isEqualTo(401);
  }

  @Test
  void a_session_ends_with_its_time_and_with_its_token() throws Exception {
    Map<String, String> fixed = cookies(edge.login("fixed"), PAGE);
    Map<String, String> listed = cookies(edge.login("listed"), PAGE);
    assertThat(list(fixed)).isEqualTo(LET_IN);
    assertThat(list(listed)).isEqualTo(LET_IN);

    Files.writeString(folder.resolve("tokens"), "# nobody\n");
    edge.keepUp();

    assertThat(list(listed)).isEqualTo(401);
    assertThat(session(listed).path("login").asText()).isEqualTo("needed");
    edge.pass(Duration.ofHours(8));
    HttpResponse<byte[]> over = edge.get("/v1/handlers", fixed);
    assertThat(over.statusCode()).isEqualTo(401);
    assertThat(text(over)).contains("the session is over: it has ended; log in again");
  }

  @Test
  void a_page_that_asks_on_after_its_session_is_told_so_and_not_throttled() throws Exception {
    Map<String, String> cookie = cookies(edge.login("fixed"), PAGE);
    edge.pass(Duration.ofHours(8));

    for (int i = 0; i < 50; i++) {
      assertThat(list(cookie)).isEqualTo(401);
    }
    assertThat(edge.login("fixed").statusCode()).isEqualTo(200);
  }

  @Test
  void wrong_tokens_are_counted_with_those_of_other_calls() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThat(edge.login("guess " + i).statusCode()).isEqualTo(401);
      assertThat(list(Map.of("authorization", "Bearer guess"))).isEqualTo(401);
    }
    assertThat(edge.login("guess").statusCode()).isEqualTo(429);
    assertThat(list(Map.of("authorization", "Bearer guess"))).isEqualTo(429);
    assertThat(edge.get("/ui/session", Map.of("authorization", "Bearer guess")).statusCode())
        .isEqualTo(429);
    assertThat(edge.login("fixed").statusCode()).isEqualTo(200);
  }

  @Test
  void only_the_dashboards_own_page_logs_in_and_out() throws Exception {
    for (String gone : List.of("x-kairos-ui", "sec-fetch-site")) {
      Map<String, String> headers = new HashMap<>(PAGE);
      headers.remove(gone);
      for (String path : List.of("/ui/login", "/ui/logout")) {
        assertThat(edge.post(path, "{\"token\":\"fixed\"}", headers).statusCode())
            .as("%s without %s", path, gone)
            .isEqualTo(403);
      }
    }
    Map<String, String> other = new HashMap<>(PAGE);
    other.put("sec-fetch-site", "same-site");
    assertThat(edge.post("/ui/login", "{\"token\":\"fixed\"}", other).statusCode()).isEqualTo(403);
    Map<String, String> byOrigin = new HashMap<>(PAGE);
    byOrigin.remove("sec-fetch-site");
    byOrigin.put("origin", edge.uri("").toString());
    assertThat(edge.post("/ui/login", "{\"token\":\"fixed\"}", byOrigin).statusCode())
        .isEqualTo(200);
  }

  @Test
  void a_body_that_has_no_token_is_refused_without_showing_it() throws Exception {
    for (String body :
        List.of(
            "", "secret", "{\"token\": 7}", "{\"token\": \"\"}", "[\"secret\"]", "{\"token\"")) {
      HttpResponse<byte[]> answer = edge.post("/ui/login", body, PAGE);
      assertThat(answer.statusCode()).as(body).isEqualTo(400);
      assertThat(text(answer)).contains("token: must be").doesNotContain("secret");
    }
    Map<String, String> form = new HashMap<>(PAGE);
    form.put("content-type", "text/plain");
    assertThat(edge.post("/ui/login", "{\"token\":\"fixed\"}", form).statusCode()).isEqualTo(400);
    assertThat(edge.post("/ui/login", "x".repeat(70_000), PAGE).statusCode()).isEqualTo(413);
  }

  @Test
  void a_header_of_a_program_wins_over_the_cookie() throws Exception {
    Map<String, String> cookie = cookies(edge.login("fixed"), PAGE);
    cookie.put("authorization", "Bearer team");
    assertThat(session(cookie).path("caller").asText()).isEqualTo("team");
    cookie.put("authorization", "Bearer guess");
    assertThat(list(cookie)).isEqualTo(401);
  }

  @Test
  void without_callers_nobody_logs_in() throws Exception {
    try (DashboardEdge open = new DashboardEdge(CallersConfig.NONE, DashboardConfig.DEFAULT)) {
      JsonNode session = json(open.get("/ui/session", PAGE));
      assertThat(session.path("login").asText()).isEqualTo("none");
      assertThat(session.has("caller")).isFalse();
      assertThat(session.path("methods").has(CANCEL)).isTrue();
      assertThat(text(open.login("fixed"))).contains("no callers are configured");
    }
  }

  @Test
  void pages_of_traces_are_told_to_those_who_have_logged_in() throws Exception {
    String url = "https://traces.example.com/trace/{trace_id}";
    try (DashboardEdge traced =
        edge(
            new DashboardConfig(
                Optional.empty(),
                false,
                Optional.empty(),
                DashboardConfig.DEFAULT.sessionLength(),
                Optional.of(url)))) {
      assertThat(json(traced.get("/ui/session", PAGE)).has("traceUrl")).isFalse();
      assertThat(json(traced.login("fixed")).path("traceUrl").asText()).isEqualTo(url);
    }
    assertThat(json(edge.login("fixed")).has("traceUrl")).isFalse();
  }

  @Test
  void nodes_with_one_key_accept_each_others_sessions() throws Exception {
    Path key = Files.writeString(folder.resolve("key"), "0".repeat(63) + "1\n");
    DashboardConfig shared =
        new DashboardConfig(
            Optional.empty(),
            false,
            Optional.of(key),
            DashboardConfig.DEFAULT.sessionLength(),
            Optional.empty());
    try (DashboardEdge one = edge(shared);
        DashboardEdge other = edge(shared)) {
      Map<String, String> cookie = cookies(one.login("fixed"), PAGE);

      assertThat(other.get("/v1/handlers", cookie).statusCode()).isEqualTo(LET_IN);
      assertThat(list(cookie)).isEqualTo(401);
    }
  }
}
