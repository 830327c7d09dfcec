package io.kairos.api.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SigningSecretTest {
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final long AT = 1614265330;
  private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
  private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

  private final SigningSecret secret = SigningSecret.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

  @Test
  void the_example_of_standard_webhooks_is_signed_as_it_says() {
    assertThat(secret.sign(ID, AT, BODY)).isEqualTo(SIGNATURE);
  }

  @Test
  void one_of_several_signatures_is_enough() {
    assertThat(secret.hasSigned("v1a,xyz v1,abc " + SIGNATURE, ID, AT, BODY)).isTrue();
  }

  @Test
  void another_id_time_body_or_version_is_not_signed() {
    assertThat(secret.hasSigned(SIGNATURE, ID + "x", AT, BODY)).isFalse();
    assertThat(secret.hasSigned(SIGNATURE, ID, AT + 1, BODY)).isFalse();
    assertThat(secret.hasSigned(SIGNATURE, ID, AT, new byte[0])).isFalse();
    assertThat(secret.hasSigned("v2" + SIGNATURE.substring(2), ID, AT, BODY)).isFalse();
    assertThat(secret.hasSigned("", ID, AT, BODY)).isFalse();
  }

  @Test
  void a_secret_is_its_text_and_does_not_tell_it() {
    assertThat(SigningSecret.of(secret.text()).sign(ID, AT, BODY)).isEqualTo(SIGNATURE);
    assertThat(secret.toString()).doesNotContain("whsec");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "whsec_",
        "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsec_c2hvcnQ=",
        "whsec_not base64 not base64 not base64",
        "whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
      })
  void what_is_no_secret_is_refused_without_being_repeated(String text) {
    assertThatThrownBy(() -> SigningSecret.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a signing secret has " + SigningSecret.RULE);
  }
}
