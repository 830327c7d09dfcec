package io.kairos.client.push;

import io.kairos.api.push.PushHeaders;
import io.kairos.api.push.SigningSecret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Pushes as a node does, for receivers in tests. */
final class Signed {
  static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  static final String OTHER = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private Signed() {}

  /** Headers of a push that is sent at an instant. */
  static Map<String, String> headers(String secret, String id, Instant at, byte[] body) {
    long seconds = at.getEpochSecond();
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(PushHeaders.ID, id);
    headers.put(PushHeaders.TIMESTAMP, Long.toString(seconds));
    headers.put(PushHeaders.SIGNATURE, SigningSecret.of(secret).sign(id, seconds, body));
    headers.put(PushHeaders.ATTEMPT, "3");
    headers.put(PushHeaders.FENCE, "7");
    headers.put(PushHeaders.TOKEN, "token-1");
    return headers;
  }

  /** Sends one with the right signature. */
  static HttpResponse<String> post(URI to, String id, String body)
      throws IOException, InterruptedException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return post(to, headers(SECRET, id, NOW, bytes), bytes);
  }

  static HttpResponse<String> post(URI to, Map<String, String> headers, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(to).POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::setHeader);
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
