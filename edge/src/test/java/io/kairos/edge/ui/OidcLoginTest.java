package io.kairos.edge.ui;

import static io.kairos.edge.ui.DashboardEdge.PAGE;
import static io.kairos.edge.ui.DashboardEdge.cookies;
import static io.kairos.edge.ui.DashboardEdge.header;
import static io.kairos.edge.ui.DashboardEdge.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.CallersConfig;
import io.kairos.edge.caller.IssuerConfig;
import io.kairos.edge.caller.LoginConfig;
import io.kairos.edge.session.DashboardConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins by a provider on this machine that says what the test tells it to, right or wrong. */
class OidcLoginTest {
  private static final String CLIENT = "kairos dashboard";
  private static final String LATE = "/ui/login?problem=";

  @TempDir private Path folder;
  private final HttpServer server = server();
  private final String issuer = "http://127.0.0.1:" + server.getAddress().getPort() + "/realm";
  private final ECKey key = key();
  private volatile UnaryOperator<JWTClaimsSet.Builder> claims = same -> same;
  private volatile ECKey signing = key;
  private volatile String nonce = "";
  private volatile String given = "";
  private volatile int status = 200;
  private volatile String form = "";
  private volatile String authorization = "";
  private final AtomicInteger asked = new AtomicInteger();
  private DashboardEdge edge;

  private static HttpServer server() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static ECKey key() {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID("first").generate();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void serve() throws Exception {
    server.createContext(
        "/realm/.well-known/openid-configuration",
        exchange ->
            answer(
                exchange,
                200,
                "{\"issuer\": \"%s\", \"jwks_uri\": \"%s/keys\", \"authorization_endpoint\": \"%s/auth?x=1\", \"token_endpoint\": \"%s/token\"}"
                    .formatted(issuer, issuer, issuer, issuer)));
    server.createContext(
        "/realm/keys", exchange -> answer(exchange, 200, new JWKSet(key.toPublicJWK()).toString()));
    server.createContext("/realm/token", this::exchange);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    edge = edge(DashboardConfig.DEFAULT, LoginConfig.NONE);
  }

  private DashboardEdge edge(DashboardConfig dashboard, LoginConfig like) {
    DashboardEdge made = edgeWithoutKeys(dashboard, like);
    made.keepUp();
    return made;
  }

  private DashboardEdge edgeWithoutKeys(DashboardConfig dashboard, LoginConfig like) {
    CallerConfig operators =
        new CallerConfig("operators", "", Set.of(CallerRole.ADMIN)).withClaims("corp/ops");
    CallerConfig readers =
        new CallerConfig("readers", "", Set.of(CallerRole.READ)).withClaims("corp/dev");
    LoginConfig login =
        new LoginConfig(
            Optional.of(CLIENT),
            like.clientSecretFile(),
            "openid groups",
            like.authorizationUrl(),
            like.tokenUrl());
    return new DashboardEdge(
        new CallersConfig(
            Optional.empty(),
            List.of(operators, readers),
            List.of(
                new IssuerConfig(
                    "corp",
                    issuer,
                    "kairos",
                    "groups",
                    Optional.empty(),
                    Optional.empty(),
                    login))),
        dashboard);
  }

  private void exchange(HttpExchange exchange) throws IOException {
    asked.incrementAndGet();
    form = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    authorization = String.valueOf(exchange.getRequestHeaders().getFirst("authorization"));
    String text = given;
    answer(
        exchange,
        status,
        text.isEmpty() ? "{\"access_token\": \"a\", \"id_token\": \"" + token() + "\"}" : text);
  }

  private String token() {
    JWTClaimsSet.Builder right =
        new JWTClaimsSet.Builder()
            .issuer(issuer)
            .audience(CLIENT)
            .subject("ann")
            .claim("groups", List.of("dev", "another"))
            .claim("nonce", nonce)
            .expirationTime(Date.from(edge.now().plusSeconds(300)));
    JWTClaimsSet said = claims.apply(right).build();
    try {
      SignedJWT jwt =
          new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("first").build(), said);
      jwt.sign(new ECDSASigner(signing));
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new AssertionError(e);
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(bytes);
    }
  }

  @AfterEach
  void close() {
    edge.close();
    server.stop(0);
  }

  private static Map<String, String> query(String uri) {
    Map<String, String> fields = new HashMap<>();
    for (String field : uri.substring(uri.indexOf('?') + 1).split("&", -1)) {
      int at = field.indexOf('=');
      fields.put(field.substring(0, at), URLDecoder.decode(field.substring(at + 1), UTF_8));
    }
    return fields;
  }

  private static String value(Map<String, String> fields, String name) {
    return requireNonNull(fields.get(name));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private HttpResponse<byte[]> begin(String to) throws Exception {
    HttpResponse<byte[]> begun = edge.get("/ui/login/corp?to=" + encoded(to));
    assertThat(begun.statusCode()).isEqualTo(303);
    nonce = value(query(header(begun, "location")), "nonce");
    return begun;
  }

  private HttpResponse<byte[]> complete(HttpResponse<byte[]> begun, String more) throws Exception {
    String state = value(query(header(begun, "location")), "state");
    return edge.get("/ui/callback?state=" + encoded(state) + more, cookies(begun, Map.of()));
  }

  private HttpResponse<byte[]> login() throws Exception {
    return complete(begin("/ui/"), "&code=c");
  }

  private void assertFails(HttpResponse<byte[]> answer, String problem) {
    assertThat(answer.statusCode()).isEqualTo(303);
    assertThat(header(answer, "location")).isEqualTo(LATE + problem);
    assertThat(answer.headers().allValues("set-cookie"))
        .allSatisfy(set -> assertThat(set).startsWith("kairos-login=;"));
  }

  @Test
  void a_person_logs_in_by_code_state_nonce_and_pkce() throws Exception {
    HttpResponse<byte[]> begun = begin("/ui/tasks?state=DEAD");
    Map<String, String> asked = query(header(begun, "location"));

    assertThat(header(begun, "location")).startsWith(issuer + "/auth?x=1&response_type=code&");
    assertThat(asked)
        .containsEntry("client_id", CLIENT)
        .containsEntry("scope", "openid groups")
        .containsEntry("redirect_uri", edge.uri("/ui/callback").toString())
        .containsEntry("code_challenge_method", "S256");
    assertThat(
            List.of(value(asked, "state"), value(asked, "nonce"), value(asked, "code_challenge")))
        .doesNotHaveDuplicates()
        .allSatisfy(each -> assertThat(each).matches("[\\w-]{43}"));
    assertThat(header(begun, "set-cookie"))
        .startsWith("kairos-login=")
        .contains("HTTPOnly", "SameSite=Lax", "Max-Age=600", "Path=/");

    HttpResponse<byte[]> done = complete(begun, "&code=the+code&iss=" + encoded(issuer));

    assertThat(done.statusCode()).isEqualTo(303);
    assertThat(header(done, "location")).isEqualTo("/ui/tasks?state=DEAD");
    Map<String, String> sent = query("?" + form);
    assertThat(sent)
        .containsEntry("grant_type", "authorization_code")
        .containsEntry("code", "the code")
        .containsEntry("client_id", CLIENT)
        .containsEntry("redirect_uri", edge.uri("/ui/callback").toString());
    byte[] verified =
        MessageDigest.getInstance("SHA-256").digest(value(sent, "code_verifier").getBytes(UTF_8));
    assertThat(Base64.getUrlEncoder().withoutPadding().encodeToString(verified))
        .isEqualTo(value(asked, "code_challenge"));
    assertThat(authorization).isEqualTo("null");
    JsonNode session =
        new ObjectMapper().readTree(edge.get("/ui/session", cookies(done, PAGE)).body());
    assertThat(session.path("caller").asText()).isEqualTo("corp/ann");
    assertThat(session.path("roles").toString()).isEqualTo("[\"read\"]");
    assertThat(session.path("issuers").toString()).isEqualTo("[\"corp\"]");
    edge.pass(Duration.ofHours(7)); // longer than the ID token lasts
    assertThat(edge.get("/v1/handlers", cookies(done, PAGE)).statusCode()).isEqualTo(503);
    edge.pass(Duration.ofHours(1));
    assertThat(edge.get("/v1/handlers", cookies(done, PAGE)).statusCode()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example/ui/",
        "//evil.example/ui/",
        "/\\evil.example",
        "/ui/\\evil.example",
        "/ui/x\r\nlocation: https://evil.example",
        "javascript:alert(1)",
        "/v1/tasks",
        "ui/",
        ""
      })
  void a_login_ends_at_the_dashboards_own_pages(String to) throws Exception {
    assertThat(header(complete(begin(to), "&code=c"), "location")).isEqualTo("/ui/");
  }

  @Test
  void an_id_token_that_is_not_for_this_login_is_refused() throws Exception {
    edge.keepUp();
    for (UnaryOperator<JWTClaimsSet.Builder> wrong :
        List.<UnaryOperator<JWTClaimsSet.Builder>>of(
            c -> c.claim("nonce", "another"),
            c -> c.claim("nonce", null),
            c -> c.audience("kairos"),
            c -> c.audience(List.of("kairos", "another")),
            c -> c.audience(List.of(CLIENT, "another")).claim("azp", "another"),
            c -> c.issuer("https://evil.example"),
            c -> c.subject(null),
            c -> c.subject("a b"),
            c -> c.expirationTime(null),
            c -> c.expirationTime(Date.from(edge.now().minusSeconds(120))),
            c -> c.notBeforeTime(Date.from(edge.now().plusSeconds(120))))) {
      claims = wrong;
      assertFails(login(), "token");
      edge.pass(Duration.ofSeconds(20)); // wrong tokens are counted
    }
    claims = same -> same;
    signing = key();
    assertFails(login(), "token");
    signing = key;
    given =
        "{\"id_token\": \"%s\"}"
            .formatted(new PlainJWT(new JWTClaimsSet.Builder().issuer(issuer).build()).serialize());
    assertFails(login(), "token");
  }

  @Test
  void somebody_without_a_role_here_is_told_so() throws Exception {
    claims = c -> c.claim("groups", List.of("another"));
    assertFails(login(), "roles");
    claims = c -> c.claim("groups", null);
    assertFails(login(), "roles");
  }

  @Test
  void a_code_without_the_login_that_it_is_for_is_not_even_exchanged() throws Exception {
    HttpResponse<byte[]> begun = begin("/ui/");
    HttpResponse<byte[]> other = begin("/ui/");
    String state = encoded(value(query(header(begun, "location")), "state"));
    String callback = "/ui/callback?code=c&state=";

    assertFails(edge.get(callback + state), "expired");
    assertFails(edge.get(callback + state, cookies(other, Map.of())), "expired");
    assertFails(edge.get(callback, cookies(begun, Map.of())), "expired");
    assertFails(edge.get("/ui/callback?code=c", cookies(begun, Map.of())), "expired");
    assertFails(edge.get(callback + state, Map.of("cookie", "kairos-login=forged")), "expired");
    assertFails(complete(begun, "&error=access_denied"), "denied");
    assertFails(complete(begun, "&code=c&iss=" + encoded("https://evil.example")), "provider");
    edge.pass(Duration.ofMinutes(10));
    assertFails(complete(begun, "&code=c"), "expired");
    assertThat(asked).hasValue(0);
  }

  @Test
  void a_session_is_no_login_and_a_login_no_session() throws Exception {
    HttpResponse<byte[]> begun = begin("/ui/");
    HttpResponse<byte[]> done = complete(begun, "&code=c");
    Map<String, String> swapped = cookies(begun, PAGE);
    swapped.put("cookie", value(swapped, "cookie").replace("kairos-login", "kairos-session"));
    assertThat(edge.get("/v1/handlers", swapped).statusCode()).isEqualTo(401);
    Map<String, String> session = cookies(done, Map.of());
    session.put("cookie", value(session, "cookie").replace("kairos-session", "kairos-login"));
    assertFails(edge.get("/ui/callback?code=c&state=s", session), "expired");
  }

  @Test
  void whatever_a_provider_answers_is_a_failed_login() throws Exception {
    for (String garbage :
        List.of("{}", "[]", "\"", "<html>", "{\"id_token\": 7}", "x".repeat(2 << 20))) {
      given = garbage;
      assertFails(login(), "provider");
    }
    given = "{\"id_token\": \"a.b.c\"}";
    assertFails(login(), "token");
    given = "{\"error\": \"invalid_grant\"}";
    status = 400;
    assertFails(login(), "provider");
    status = 302;
    assertFails(login(), "provider");
    server.stop(0);
    assertFails(login(), "provider");
  }

  @Test
  void who_logs_in_before_the_keys_of_the_provider_are_there_is_told_to_try_again()
      throws Exception {
    edge.close();
    edge = edgeWithoutKeys(DashboardConfig.DEFAULT, LoginConfig.NONE);

    assertFails(login(), "keys");

    edge.keepUp();
    assertThat(header(login(), "location")).isEqualTo("/ui/");
  }

  @Test
  void a_provider_that_is_away_at_the_begin_is_told_too() throws Exception {
    server.stop(0);
    assertFails(edge.get("/ui/login/corp"), "provider");
    assertThat(edge.get("/ui/login/another").statusCode()).isEqualTo(404);
  }

  @Test
  void a_client_with_a_secret_shows_it_and_urls_may_be_given() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "s:cr&t\n");
    edge.close();
    edge =
        edge(
            DashboardConfig.DEFAULT,
            new LoginConfig(
                Optional.empty(),
                Optional.of(secret),
                "",
                Optional.of(URI.create(issuer + "/other")),
                Optional.of(URI.create(issuer + "/token"))));

    HttpResponse<byte[]> begun = begin("/ui/");

    assertThat(header(begun, "location")).startsWith(issuer + "/other?response_type=code&");
    assertThat(header(complete(begun, "&code=c"), "location")).isEqualTo("/ui/");
    assertThat(new String(Base64.getDecoder().decode(authorization.substring(6)), UTF_8))
        .isEqualTo("kairos+dashboard:s%3Acr%26t");
    Files.delete(secret);
    assertFails(login(), "provider");
  }

  @Test
  void another_node_with_the_key_completes_a_login() throws Exception {
    Path key = Files.writeString(folder.resolve("key"), "0".repeat(63) + "1\n");
    DashboardConfig shared =
        new DashboardConfig(
            Optional.empty(),
            false,
            Optional.of(key),
            DashboardConfig.DEFAULT.sessionLength(),
            Optional.empty());
    try (DashboardEdge first = edge(shared, LoginConfig.NONE);
        DashboardEdge second = edge(shared, LoginConfig.NONE)) {
      HttpResponse<byte[]> begun = first.get("/ui/login/corp");
      Map<String, String> asked = query(header(begun, "location"));
      nonce = value(asked, "nonce");

      HttpResponse<byte[]> done =
          second.get(
              "/ui/callback?code=c&state=" + encoded(value(asked, "state")),
              cookies(begun, Map.of()));

      assertThat(header(done, "location")).isEqualTo("/ui/");
      assertThat(query("?" + form))
          .containsEntry("redirect_uri", first.uri("/ui/callback").toString());
      assertThat(first.get("/v1/handlers", cookies(done, PAGE)).statusCode()).isEqualTo(503);
    }
  }

  @Test
  void behind_a_proxy_with_tls_the_provider_leads_back_by_tls() throws Exception {
    HttpResponse<byte[]> begun = edge.get("/ui/login/corp", Map.of("x-forwarded-proto", "https"));

    assertThat(value(query(header(begun, "location")), "redirect_uri"))
        .isEqualTo(edge.uri("/ui/callback").toString().replace("http:", "https:"));
    assertThat(header(begun, "set-cookie")).startsWith("__Host-kairos-login=").contains("Secure");
  }

  @Test
  void a_pasted_token_of_an_issuer_begins_a_session_that_ends_with_it() throws Exception {
    claims = c -> c.audience("kairos");

    HttpResponse<byte[]> begun = edge.login(token());

    assertThat(begun.statusCode()).as(text(begun)).isEqualTo(200);
    Map<String, String> cookie = cookies(begun, PAGE);
    assertThat(edge.get("/v1/handlers", cookie).statusCode()).isEqualTo(503);
    edge.pass(Duration.ofSeconds(301));
    assertThat(edge.get("/v1/handlers", cookie).statusCode()).isEqualTo(401);
  }
}
