package io.kairos.client.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.api.push.PushHeaders;
import io.kairos.api.push.SigningSecret;
import io.kairos.client.time.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookVerifierTest {
  private static final byte[] BODY = "pay order 7".getBytes(StandardCharsets.UTF_8);

  private final WebhookVerifier verifier = WebhookVerifier.of(new ManualTime(), Signed.SECRET);

  @Test
  void ph32_what_is_signed_is_told_with_its_execution_id() throws NotVerifiedException {
    Map<String, String> headers = Signed.headers(Signed.SECRET, "e-1", Signed.NOW, BODY);
    headers.put(PushHeaders.SCHEDULE, "nightly");
    headers.put(PushHeaders.FIRE_TIME, "2026-03-01T12:00:00Z");

    Push push = verifier.verify(headers::get, BODY);

    assertThat(push.executionId()).isEqualTo("e-1");
    assertThat(push.text()).isEqualTo("pay order 7");
    assertThat(push.attempt()).isEqualTo(3);
    assertThat(push.fence()).isEqualTo(7);
    assertThat(push.schedule()).contains("nightly");
    assertThat(push.fireTime()).contains(Instant.parse("2026-03-01T12:00:00Z"));
    assertThat(push.completionToken()).contains("token-1");
    assertThat(push.traceparent()).isEmpty();
  }

  @Test
  void both_keys_are_good_while_they_are_rotated() throws NotVerifiedException {
    WebhookVerifier both = WebhookVerifier.of(new ManualTime(), Signed.OTHER, Signed.SECRET);

    assertThat(
            both.verify(Signed.headers(Signed.SECRET, "e-1", Signed.NOW, BODY)::get, BODY)
                .executionId())
        .isEqualTo("e-1");
    assertThat(
            both.verify(Signed.headers(Signed.OTHER, "e-2", Signed.NOW, BODY)::get, BODY)
                .executionId())
        .isEqualTo("e-2");
  }

  @Test
  void a_sender_that_rotates_signs_with_both() throws NotVerifiedException {
    Map<String, String> headers = Signed.headers(Signed.OTHER, "e-1", Signed.NOW, BODY);
    headers.merge(
        PushHeaders.SIGNATURE,
        SigningSecret.of(Signed.SECRET).sign("e-1", Signed.NOW.getEpochSecond(), BODY),
        (one, other) -> one + " " + other);

    assertThat(verifier.verify(headers::get, BODY).executionId()).isEqualTo("e-1");
  }

  @Test
  void another_secret_or_another_body_is_refused() {
    Map<String, String> others = Signed.headers(Signed.OTHER, "e-1", Signed.NOW, BODY);
    Map<String, String> right = Signed.headers(Signed.SECRET, "e-1", Signed.NOW, BODY);

    assertThatThrownBy(() -> verifier.verify(others::get, BODY))
        .isInstanceOf(NotVerifiedException.class)
        .hasMessageContaining("not by a known secret");
    assertThatThrownBy(() -> verifier.verify(right::get, new byte[] {1}))
        .isInstanceOf(NotVerifiedException.class);
  }

  @ParameterizedTest
  @CsvSource({"-301, false", "-300, true", "0, true", "300, true", "301, false"})
  void what_is_replayed_after_five_minutes_is_refused(long seconds, boolean good) {
    Instant at = Signed.NOW.plus(Duration.ofSeconds(seconds));
    Map<String, String> headers = Signed.headers(Signed.SECRET, "e-1", at, BODY);

    boolean verified;
    try {
      verified = verifier.verify(headers::get, BODY).executionId().equals("e-1");
    } catch (NotVerifiedException e) {
      verified = false;
    }
    assertThat(verified).isEqualTo(good);
  }

  @ParameterizedTest
  @ValueSource(strings = {PushHeaders.ID, PushHeaders.TIMESTAMP, PushHeaders.SIGNATURE})
  void what_lacks_a_header_is_refused(String header) {
    Map<String, String> headers = Signed.headers(Signed.SECRET, "e-1", Signed.NOW, BODY);
    headers.remove(header);

    assertThatThrownBy(() -> verifier.verify(headers::get, BODY))
        .isInstanceOf(NotVerifiedException.class)
        .hasMessageContaining(header);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-1", "99999999999999999999", "1.5"})
  void what_is_no_time_is_refused(String timestamp) {
    Map<String, String> headers = Signed.headers(Signed.SECRET, "e-1", Signed.NOW, BODY);
    headers.put(PushHeaders.TIMESTAMP, timestamp);

    assertThatThrownBy(() -> verifier.verify(headers::get, BODY))
        .isInstanceOf(NotVerifiedException.class);
  }
}
