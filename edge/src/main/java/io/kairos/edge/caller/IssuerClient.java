package io.kairos.edge.caller;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks an issuer by HTTP. Its methods block for at most five seconds, follow no redirect and take
 * at most 1 MiB. The client of HTTP is made at the first question. Thread-safe.
 */
public final class IssuerClient {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  private static final long MOST_BYTES = 1 << 20;
  private static final String DISCOVERY = "/.well-known/openid-configuration";

  private static final class Lazy {
    static final HttpClient CLIENT =
        HttpClient.newBuilder()
            .followRedirects(Redirect.NEVER)
            .connectTimeout(ANSWER_WITHIN)
            .build();
  }

  /**
   * The issuer's description of itself (OpenID Connect Discovery).
   *
   * @throws IOException when it does not answer
   * @throws IllegalArgumentException when it is not that of this issuer
   */
  public Map<String, Object> configuration(String issuer) throws IOException, InterruptedException {
    String text = get(KeysUrlFormat.checked(issuer.replaceAll("/$", "") + DISCOVERY));
    try {
      Map<String, Object> told = JSONObjectUtils.parse(text);
      if (!issuer.equals(JSONObjectUtils.getString(told, "issuer"))) {
        throw new IllegalArgumentException(
            "its configuration names another issuer, " + told.get("issuer"));
      }
      return told;
    } catch (ParseException e) {
      throw new IllegalArgumentException("its configuration is not JSON: " + e.getMessage(), e);
    }
  }

  /**
   * A URL of the issuer's description.
   *
   * @throws IllegalArgumentException when it is missing or not safe
   */
  public static URI url(Map<String, Object> configuration, String member) {
    if (!(configuration.get(member) instanceof String url)) {
      throw new IllegalArgumentException("its configuration has no " + member);
    }
    return KeysUrlFormat.checked(url);
  }

  /** Reads a text; throws {@link IOException} for any status but 200. */
  public String get(URI url) throws IOException, InterruptedException {
    HttpResponse<String> answer = send(HttpRequest.newBuilder(url).build());
    if (answer.statusCode() != 200) {
      throw new IOException(url + " answers " + answer.statusCode());
    }
    return answer.body();
  }

  /**
   * Sends a form.
   *
   * @param authorization of the request; null for none
   */
  public HttpResponse<String> post(URI url, String form, @Nullable String authorization)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "application/json")
            .POST(BodyPublishers.ofString(form));
    if (authorization != null) {
      request.header("authorization", authorization);
    }
    return send(request.build());
  }

  private static HttpResponse<String> send(HttpRequest request)
      throws IOException, InterruptedException {
    // The timeout of a request ends with the head of the answer, and this one with its body.
    CompletableFuture<HttpResponse<String>> coming =
        Lazy.CLIENT.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES));
    try {
      return coming.get(ANSWER_WITHIN.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(request.uri() + " does not answer: " + e.getCause(), e);
    } catch (TimeoutException e) {
      coming.cancel(true);
      throw new IOException(
          request.uri() + " does not answer within " + ANSWER_WITHIN.toSeconds() + " s", e);
    }
  }
}
