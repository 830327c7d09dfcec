package io.kairos.client.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PayloadCodecTest {
  @Test
  void bytes_stay_as_they_are() {
    byte[] payload = {0, (byte) 0xff, 7};

    assertThat(PayloadCodec.bytes().decode(PayloadCodec.bytes().encode(payload)))
        .isEqualTo(payload);
  }

  @Test
  void text_is_utf8_and_what_is_not_is_refused() {
    PayloadCodec<String> utf8 = PayloadCodec.utf8();

    assertThat(utf8.decode(utf8.encode("Grüße 🕰"))).isEqualTo("Grüße 🕰");
    assertThatThrownBy(() -> utf8.decode(new byte[] {(byte) 0xff}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("UTF-8");
  }

  @Test
  void a_codec_of_the_users_choice_is_two_functions() {
    PayloadCodec<Integer> number =
        PayloadCodec.of(n -> new byte[] {n.byteValue()}, bytes -> (int) bytes[0]);

    assertThat(number.decode(number.encode(42))).isEqualTo(42);
  }
}
