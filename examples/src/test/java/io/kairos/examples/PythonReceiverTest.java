package io.kairos.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.push.PushHeaders;
import io.kairos.api.push.SigningSecret;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The receiver in Python gets what a node would send. */
class PythonReceiverTest {
  private static final SigningSecret OLD =
      SigningSecret.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  private static final SigningSecret NEW =
      SigningSecret.of("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  private static final SigningSecret STRANGE =
      SigningSecret.of("whsec_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB");

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI address;
  private final Process receiver;
  private final BufferedReader work;

  PythonReceiverTest() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    address = URI.create("http://127.0.0.1:" + port + "/");
    receiver =
        new ProcessBuilder(
                "python3", "python/receiver.py", Integer.toString(port), OLD.text(), NEW.text())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    work = receiver.inputReader(StandardCharsets.UTF_8);
  }

  @BeforeEach
  void listens() throws Exception {
    for (int look = 0; look < 500; look++) {
      try {
        assertThat(post(STRANGE, "e-0", Instant.now(), "x")).isEqualTo(401);
        return;
      } catch (ConnectException e) {
        TimeUnit.MILLISECONDS.sleep(20); // Python starts
      }
    }
    throw new AssertionError("the receiver does not listen");
  }

  @AfterEach
  void end() {
    receiver.destroyForcibly();
  }

  private int post(SigningSecret secret, String id, Instant at, String text)
      throws IOException, InterruptedException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    long seconds = at.getEpochSecond();
    return client
        .send(
            HttpRequest.newBuilder(address)
                .header(PushHeaders.ID, id)
                .header(PushHeaders.TIMESTAMP, Long.toString(seconds))
                .header(PushHeaders.SIGNATURE, "v1,no " + secret.sign(id, seconds, body))
                .header(PushHeaders.ATTEMPT, "1")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void ph33_what_is_signed_is_done_once() throws Exception {
    assertThat(post(OLD, "e-1", Instant.now(), "one")).isEqualTo(200);
    assertThat(post(OLD, "e-1", Instant.now(), "one")).isEqualTo(200);
    assertThat(post(NEW, "e-2", Instant.now(), "two")).isEqualTo(200);

    assertThat(work.readLine()).isEqualTo("e-1 attempt 1: one");
    assertThat(work.readLine()).isEqualTo("e-2 attempt 1: two");
  }

  @Test
  void what_is_not_signed_or_old_is_refused() throws Exception {
    assertThat(post(STRANGE, "e-1", Instant.now(), "one")).isEqualTo(401);
    assertThat(post(OLD, "e-1", Instant.now().minusSeconds(600), "one")).isEqualTo(401);
  }
}
