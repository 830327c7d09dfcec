package io.kairos.edge.ui;

import static io.kairos.edge.ui.DashboardEdge.PAGE;
import static io.kairos.edge.ui.DashboardEdge.cookies;
import static io.kairos.edge.ui.DashboardEdge.header;
import static io.kairos.edge.ui.DashboardEdge.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.CallersConfig;
import io.kairos.edge.caller.IssuerConfig;
import io.kairos.edge.caller.LoginConfig;
import io.kairos.edge.session.DashboardConfig;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import no.nav.security.mock.oauth2.http.NettyWrapper;
import no.nav.security.mock.oauth2.token.DefaultOAuth2TokenCallback;
import no.nav.security.mock.oauth2.token.OAuth2TokenProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logins by a provider that others have written, which checks what it is sent. */
class MockProviderTest {
  @TempDir private Path folder;
  private final MockOAuth2Server provider =
      new MockOAuth2Server(
          new OAuth2Config(
              false, null, null, false, new OAuth2TokenProvider(), Set.of(), new NettyWrapper()));

  @BeforeEach
  void start() {
    provider.start(InetAddress.getLoopbackAddress(), 0);
  }

  @AfterEach
  void stop() {
    provider.shutdown();
  }

  private DashboardEdge edge() throws Exception {
    CallerConfig operators =
        new CallerConfig("operators", "", Set.of(CallerRole.ADMIN)).withClaims("corp/ops");
    Path secret = Files.writeString(folder.resolve("secret"), "s3cr:t\n");
    IssuerConfig corp =
        new IssuerConfig(
            "corp",
            provider.issuerUrl("corp").toString(),
            "kairos",
            "realm_access.roles",
            Optional.empty(),
            Optional.empty(),
            new LoginConfig(
                Optional.of("dashboard"),
                Optional.of(secret),
                "openid",
                Optional.empty(),
                Optional.empty()));
    DashboardEdge made =
        new DashboardEdge(
            new CallersConfig(Optional.empty(), List.of(operators), List.of(corp)),
            DashboardConfig.DEFAULT);
    made.keepUp();
    return made;
  }

  private void says(String subject, Map<String, Object> claims) {
    provider.enqueueCallback(
        new DefaultOAuth2TokenCallback("corp", subject, "JWT", List.of("dashboard"), claims));
  }

  @Test
  void somebody_logs_in_follows_the_link_and_calls() throws Exception {
    says("ann", Map.of("realm_access", Map.of("roles", List.of("ops"))));
    try (DashboardEdge edge = edge()) {
      HttpResponse<byte[]> begun = edge.get("/ui/login/corp?to=/ui/tasks");
      HttpResponse<byte[]> there =
          edge.raw("GET", URI.create(header(begun, "location")), "", Map.of());
      assertThat(there.statusCode()).as(text(there)).isEqualTo(302);
      HttpResponse<byte[]> back =
          edge.raw("GET", URI.create(header(there, "location")), "", cookies(begun, Map.of()));

      assertThat(header(back, "location")).isEqualTo("/ui/tasks");
      assertThat(text(edge.get("/ui/session", cookies(back, PAGE))))
          .contains("\"login\":\"done\"", "\"caller\":\"corp/ann\"", "\"roles\":[\"admin\"]");
    }
  }

  @Test
  void the_provider_refuses_a_verifier_that_is_not_the_challenges() throws Exception {
    says("ann", Map.of("realm_access", Map.of("roles", List.of("ops"))));
    try (DashboardEdge edge = edge()) {
      HttpResponse<byte[]> begun = edge.get("/ui/login/corp");
      URI altered =
          URI.create(
              header(begun, "location")
                  .replaceAll("code_challenge=[\\w-]+", "code_challenge=" + "A".repeat(43)));
      HttpResponse<byte[]> there = edge.raw("GET", altered, "", Map.of());
      HttpResponse<byte[]> back =
          edge.raw("GET", URI.create(header(there, "location")), "", cookies(begun, Map.of()));

      assertThat(header(back, "location")).isEqualTo("/ui/login?problem=provider");
    }
  }
}
