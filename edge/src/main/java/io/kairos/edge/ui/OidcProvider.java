package io.kairos.edge.ui;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.edge.caller.IssuerClient;
import io.kairos.edge.caller.IssuerConfig;
import io.kairos.edge.caller.LoginConfig;
import io.kairos.edge.ui.LoginFailedException.Problem;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An issuer by which people log in (OpenID Connect Core, authorization code flow; PKCE, RFC 7636).
 * Its methods block for at most some seconds. Thread-safe.
 */
final class OidcProvider {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern WORD = Pattern.compile("[a-z_]{1,64}");
  private static final int MOST_SECRET_BYTES = 4_096;

  private final IssuerConfig config;
  private final String clientId;
  private final IssuerClient http = new IssuerClient();

  /** Found once; an issuer that moves its pages needs a restart, like one that moves itself. */
  private volatile @Nullable Endpoints endpoints;

  private record Endpoints(URI authorization, URI token) {}

  /**
   * Where a login stands while the person is at the issuer.
   *
   * @param verifier of PKCE, which only this process knows
   */
  record Pending(String issuer, String state, String nonce, String verifier, String redirect) {}

  private OidcProvider(IssuerConfig config, String clientId) {
    this.config = config;
    this.clientId = clientId;
  }

  /** Empty for an issuer by which nobody logs in. */
  static Optional<OidcProvider> of(IssuerConfig config) {
    return config.login().clientId().map(id -> new OidcProvider(config, id));
  }

  String name() {
    return config.name();
  }

  String clientId() {
    return clientId;
  }

  String issuer() {
    return config.issuer();
  }

  /** The issuer's login page for a login that begins. */
  String loginPage(Pending login) throws LoginFailedException, InterruptedException {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("response_type", "code");
    query.put("client_id", clientId);
    query.put("redirect_uri", login.redirect());
    query.put("scope", config.login().scopes());
    query.put("state", login.state());
    query.put("nonce", login.nonce());
    query.put("code_challenge", challenge(login.verifier()));
    query.put("code_challenge_method", "S256");
    String page = endpoints().authorization().toString();
    return page + (page.contains("?") ? "&" : "?") + form(query);
  }

  private static String challenge(String verifier) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(DashboardFile.sha256(verifier.getBytes(UTF_8)));
  }

  /** Exchanges the code that the person has brought for an ID token, which is not yet checked. */
  String idToken(Pending login, String code) throws LoginFailedException, InterruptedException {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", login.redirect());
    form.put("client_id", clientId);
    form.put("code_verifier", login.verifier());
    try {
      HttpResponse<String> answer = http.post(endpoints().token(), form(form), authorization());
      JsonNode told = JSON.readTree(answer.body());
      if (answer.statusCode() == 200 && told.path("id_token").isTextual()) {
        return told.path("id_token").asText();
      }
      String error = told.path("error").asText();
      throw new LoginFailedException(
          Problem.PROVIDER,
          "the token endpoint answers %d%s"
              .formatted(
                  answer.statusCode(), WORD.matcher(error).matches() ? " and " + error : ""));
    } catch (JsonProcessingException _) {
      throw new LoginFailedException(Problem.PROVIDER, "the token endpoint does not answer JSON");
    } catch (IOException e) {
      throw new LoginFailedException(Problem.PROVIDER, String.valueOf(e.getMessage()));
    }
  }

  /** Of a client with a secret (RFC 6749, 2.3.1). */
  private @Nullable String authorization() throws IOException {
    Path file = config.login().clientSecretFile().orElse(null);
    if (file == null) {
      return null;
    }
    if (Files.size(file) > MOST_SECRET_BYTES) {
      throw new IOException("client-secret-file has more than 4 KiB");
    }
    String secret = Files.readString(file).strip();
    return "Basic "
        + Base64.getEncoder()
            .encodeToString((encoded(clientId) + ":" + encoded(secret)).getBytes(UTF_8));
  }

  private Endpoints endpoints() throws LoginFailedException, InterruptedException {
    Endpoints found = endpoints;
    if (found == null) {
      found = find();
      endpoints = found;
    }
    return found;
  }

  private Endpoints find() throws LoginFailedException, InterruptedException {
    LoginConfig login = config.login();
    if (login.authorizationUrl().isPresent() && login.tokenUrl().isPresent()) {
      return new Endpoints(login.authorizationUrl().get(), login.tokenUrl().get());
    }
    try {
      Map<String, Object> told = http.configuration(config.issuer());
      return new Endpoints(
          IssuerClient.url(told, "authorization_endpoint"),
          IssuerClient.url(told, "token_endpoint"));
    } catch (IOException | IllegalArgumentException e) {
      throw new LoginFailedException(Problem.PROVIDER, String.valueOf(e.getMessage()));
    }
  }

  private static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> field.getKey() + "=" + encoded(field.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }
}
