package io.kairos.domain.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageIdTest {
  @Test
  void ch_18_an_id_may_have_128_code_points_even_when_each_takes_two_chars() {
    String emoji = "😀".repeat(128);

    assertThat(new MessageId(emoji).value()).isEqualTo(emoji);
  }

  @Test
  void ch_18_an_id_of_129_code_points_is_refused() {
    assertThatThrownBy(() -> new MessageId("x".repeat(129)))
        .hasMessageContaining("128 code points");
    assertThatThrownBy(() -> new MessageId("😀".repeat(129)))
        .hasMessageContaining("128 code points");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\0b", "\ud800", "a\udc00"})
  void what_postgres_or_utf_8_cannot_hold_is_refused(String id) {
    assertThatThrownBy(() -> new MessageId(id)).isInstanceOf(IllegalArgumentException.class);
  }
}
