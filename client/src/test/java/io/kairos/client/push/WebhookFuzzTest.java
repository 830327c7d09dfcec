package io.kairos.client.push;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.api.push.SigningSecret;
import io.kairos.client.time.ManualTime;
import io.kairos.fuzzing.ParserFuzz;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Requests of whoever reaches a receiver of pushes, and the secret that its user has copied. */
class WebhookFuzzTest {
  @TestFactory
  Stream<DynamicTest> every_input_is_taken_or_refused() {
    WebhookVerifier verifier = WebhookVerifier.of(new ManualTime(), Signed.SECRET);
    return Stream.of(
        ParserFuzz.text("webhook", text -> verify(verifier, text, false))
            .refusing(NotVerifiedException.class)
            .test(),
        ParserFuzz.text("webhook", text -> verify(verifier, text, true))
            .named("signed webhook")
            .refusing(NotVerifiedException.class)
            .test(),
        ParserFuzz.text("signing-secret", SigningSecret::of)
            .refusing(IllegalArgumentException.class)
            .test());
  }

  /** Headers in lines, an empty line, and the body. */
  private static void verify(WebhookVerifier verifier, String text, boolean signed)
      throws NotVerifiedException {
    String[] parts = text.split("\n\n", 2);
    byte[] body = (parts.length == 2 ? parts[1] : "").getBytes(UTF_8);
    Map<String, String> headers = new HashMap<>();
    for (String line : parts[0].split("\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
      }
    }
    if (signed) {
      headers.putAll(Signed.headers(Signed.SECRET, "e-1", Signed.NOW, body));
    }
    Push push = verifier.verify(headers::get, body);
    push.attempt();
    push.fence();
    push.fireTime();
    push.schedule();
    push.completionToken();
    push.traceparent();
    push.text();
  }
}
