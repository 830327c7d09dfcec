package io.kairos.server.wiring;

import static io.kairos.server.wiring.DashboardNode.NARROW;
import static io.kairos.server.wiring.DashboardNode.WIDE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import io.kairos.server.browser.BrowserSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import no.nav.security.mock.oauth2.http.NettyWrapper;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;
import no.nav.security.mock.oauth2.token.OAuth2TokenProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;

/**
 * People log in at the dashboard in a browser, by a token and by an identity provider of another
 * site, see what they may, and are logged out, by themselves or by the end of their session.
 */
@Timeout(240)
class BrowserLoginEndToEndTest {
  private static final Map<String, String> JSON = Map.of("content-type", "application/json");
  private static final Map<String, String> OURS =
      Map.of("content-type", "application/json", "x-kairos-ui", "1");
  private static final By TOKEN = By.name("token");

  /** Where people may change something. */
  private static final List<String> PAGES =
      List.of(
          "/ui/",
          "/ui/failures",
          "/ui/tasks?state=DEAD",
          "/ui/handlers",
          "/ui/handlers/charge",
          "/ui/schedules",
          "/ui/schedules/every-second",
          "/ui/pools?pool=shop");

  @TempDir private static Path folder;

  @AutoClose private static DashboardNode node;
  private static final MockOAuth2Server provider =
      new MockOAuth2Server(
          new OAuth2Config(
              false, null, null, false, new OAuth2TokenProvider(), Set.of(), new NettyWrapper()));
  private static Path keys;
  private static BrowserSession browser;
  private static TaskId dead;

  @BeforeAll
  static void start() throws Exception {
    BrowserSession.requireInstalled();
    provider.start(InetAddress.getLoopbackAddress(), 0);
    keys = Files.writeString(folder.resolve("keys"), key(1));
    node =
        DashboardNode.start(
            "http.session-key-file=" + keys,
            "http.callers.readers.roles=read",
            "http.callers.readers.claims=corp/staff",
            "http.issuers.corp.issuer=" + providerOrigin() + "/corp",
            "http.issuers.corp.audience=kairos",
            "http.issuers.corp.roles-claim=realm_access.roles",
            "http.issuers.corp.client-id=dashboard",
            "http.issuers.gone.issuer=http://localhost:1/gone",
            "http.issuers.gone.audience=kairos",
            "http.issuers.gone.client-id=dashboard");
    node.with("the provider", provider::shutdown);
    dead =
        node.failed("the bank is closed", TaskRequest.to("charge").payload("{\"order\": 1}"))
            .getFirst();
    node.client()
        .schedules()
        .create(
            ScheduleSpec.named("every-second")
                .every(Duration.ofSeconds(1))
                .handler("nobody")
                .build());
    node.with("the endpoint", PoolEndpoint.of(node.client(), "shop", _ -> {}));
    Replicas.await("the keys of the provider", BrowserLoginEndToEndTest::knowsTheProvider);
    browser = node.browser();
    browser.mayVisit(providerOrigin());
  }

  /** A node that has just started may not have the keys yet, and then says that it is not ready. */
  private static boolean knowsTheProvider() {
    String token =
        provider
            .anyToken(
                provider.issuerUrl("corp").newBuilder().host("localhost").build(),
                Map.of("sub", "ann", "aud", "kairos"))
            .serialize();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
                  HttpRequest.newBuilder(URI.create(node.origin() + "/v1/handlers"))
                      .header("authorization", "Bearer " + token)
                      .build(),
                  BodyHandlers.discarding())
              .statusCode()
          != 503;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The browser takes this for another site than the node, which is at 127.0.0.1. */
  private static String providerOrigin() {
    return "http://localhost:" + provider.baseUrl().port();
  }

  private static String key(int number) {
    return "%064x%n".formatted(number);
  }

  @AfterEach
  void no_page_has_done_what_it_must_not() {
    assertThat(browser.faults()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void somebody_who_may_only_read_logs_in_sees_no_buttons_and_is_refused_all_the_same(int width) {
    browser.resize(width);
    browser.forget();
    browser.load("/ui/handlers/charge");
    browser.see(TOKEN);
    assertThat(browser.barriers()).isEmpty();
    browser.logIn("a token that nobody has");
    browser.see(By.cssSelector("main .problem"));
    assertThat(browser.faults("status of 401")).isEmpty();

    browser.logIn(DashboardNode.GUEST);

    browser.read("main h1", "charge");
    assertNoButtons();
    String pause = "/v1/handlers/charge/pause";
    assertThat(browser.call("GET", "/v1/handlers", OURS, "")).isEqualTo(200);
    assertThat(browser.call("PUT", pause, OURS, "{\"mode\": \"PAUSE\"}")).isEqualTo(403);
    assertThat(browser.call("PUT", pause, JSON, "{\"mode\": \"PAUSE\"}")).isEqualTo(401);
    assertThat(node.client().handlers().pauses()).isEmpty();

    browser.openMenu();
    browser.press("Log out");
    browser.see(TOKEN);
    assertThat(browser.call("GET", "/v1/handlers", OURS, "")).isEqualTo(401);
    assertThat(browser.faults("status of 40[13]")).isEmpty();
  }

  private static void assertNoButtons() {
    for (String page : PAGES) {
      assertNoButtons(page);
    }
    assertNoButtons("/ui/tasks/" + dead);
  }

  private static void assertNoButtons(String page) {
    browser.show(page);
    assertThat(browser.texts(By.cssSelector("main button, main a.button")))
        .as(page)
        // a cell of a ledger is … too
        .noneMatch(text ->
            text.matches("(?s).+….*") || text.matches("Run now|Change|New schedule|Limit a queue"));
    // A pool that has never had a task has no handler.
    assertThat(browser.faults("pool%3Ashop.*status of 404")).as(page).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void somebody_logs_in_by_a_provider_of_another_site_and_is_where_they_wanted_to_be(int width) {
    provider.enqueueCallback(
        new DefaultOAuth2TokenCallback(
            "corp",
            "ann",
            "JWT",
            List.of("dashboard"),
            Map.of("realm_access", Map.of("roles", List.of("staff")))));
    browser.resize(width);
    browser.forget();
    browser.load("/ui/tasks?state=DEAD&handler=charge");
    browser.see(TOKEN);
    assertThat(browser.barriers()).isEmpty();

    browser.click(By.linkText("Log in with corp"));

    browser.read("main h2", "1 newest that match");
    assertThat(browser.place()).isEqualTo("/ui/tasks?state=DEAD&handler=charge");
    browser.openMenu();
    browser.read(".who", "corp/ann");
    assertThat(browser.call("PUT", "/v1/handlers/charge/pause", OURS, "{}")).isEqualTo(403);
    assertThat(browser.faults("status of 403")).isEmpty();
  }

  @Test
  void somebody_whom_the_provider_knows_and_nobody_has_given_a_role_is_told_so() {
    provider.enqueueCallback(
        new DefaultOAuth2TokenCallback("corp", "bob", "JWT", List.of("dashboard"), Map.of()));
    browser.resize(NARROW);
    browser.forget();
    browser.load("/ui/");

    browser.click(By.linkText("Log in with corp"));

    browser.read("main .problem", "You have no role here");
    browser.see(TOKEN);
    assertThat(browser.barriers()).isEmpty();
  }

  @Test
  void somebody_whose_provider_is_away_is_told_so_and_logs_in_by_a_token() {
    browser.resize(NARROW);
    browser.forget();
    browser.load("/ui/tasks");

    browser.click(By.linkText("Log in with gone"));

    browser.read("main .problem", "The identity provider does not answer");
    browser.see(By.linkText("Log in with gone"));
    assertThat(browser.barriers()).isEmpty();
    browser.logIn(DashboardNode.OPERATOR);
    browser.read("main h1", "Overview");
  }

  @Test
  void the_end_of_a_session_is_noticed_and_the_next_login_leads_back_to_the_page()
      throws IOException {
    browser.resize(WIDE);
    browser.forget();
    browser.load("/ui/handlers/charge");
    browser.logIn(DashboardNode.GUEST);
    browser.read("main h1", "charge");

    // The key that has sealed the session is taken away.
    Files.writeString(keys, key(2), UTF_8);

    browser.see(TOKEN);
    assertThat(browser.place()).isEqualTo("/ui/handlers/charge");
    assertThat(browser.sees(By.cssSelector("main table"))).isFalse();
    browser.logIn(DashboardNode.GUEST);
    browser.read("main h1", "charge");
    browser.read("main", "Failures, by error", "the bank is closed");
    assertThat(browser.faults("status of 401")).isEmpty();
  }

  @Test
  void a_cookie_that_the_browser_drops_ends_the_session_too() {
    browser.resize(NARROW);
    browser.forget();
    browser.load("/ui/failures");
    browser.logIn(DashboardNode.OPERATOR);
    browser.read("main h1", "Failures");
    assertThat((String) browser.script("return document.cookie + '.'")).isEqualTo(".");

    browser.forget();
    browser.press("Last hour");

    browser.see(TOKEN);
    browser.logIn(DashboardNode.OPERATOR);
    browser.read("main table", "charge", "the bank is closed");
    assertThat(browser.faults("status of 401")).isEmpty();
  }

  /**
   * On loopback without callers nobody logs in, and a setting makes the dashboard a window only.
   */
  @ParameterizedTest
  @ValueSource(ints = {WIDE, NARROW})
  void a_dashboard_that_only_reads_has_no_buttons_and_is_refused_changes(int width) {
    try (RunningNode reading = Configured.started("http.ui-read-only=true");
        BrowserSession reader = BrowserSession.start("http://" + Configured.address(reading))) {
      reader.resize(width);
      reader.show("/ui/handlers");
      reader.openMenu();
      reader.read(".who", "read only");
      assertThat(reader.sees(By.xpath("//button[normalize-space()='Log out']"))).isFalse();
      assertThat(reader.call("GET", "/v1/handlers", OURS, "")).isEqualTo(200);
      assertThat(reader.call("PUT", "/v1/handlers/h/pause", OURS, "{}")).isEqualTo(403);
      reader.show("/ui/schedules");
      assertThat(reader.sees(By.linkText("New schedule"))).isFalse();
      reader.show("/ui/handlers/h");
      assertThat(reader.texts(By.cssSelector("main button"))).isEmpty();
      assertThat(reader.barriers()).isEmpty();
      assertThat(reader.faults("status of 40[34]")).isEmpty();
    }
  }
}
