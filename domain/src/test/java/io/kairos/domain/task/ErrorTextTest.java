package io.kairos.domain.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ErrorTextTest {
  @Test
  void a_text_is_kept_as_it_is() {
    assertThat(ErrorText.bounded("")).isEmpty();
    assertThat(ErrorText.bounded("ü€😀\n\u0001")).isEqualTo("ü€😀\n\u0001");
  }

  @Test
  void what_no_store_takes_is_left_out() {
    assertThat(ErrorText.bounded("a\0b\0")).isEqualTo("ab");
    assertThat(ErrorText.bounded("\0")).isEmpty();
    assertThat(ErrorText.bounded("half \ud83d pair")).isEqualTo("half ? pair");
  }

  @Test
  void a_long_text_is_cut_between_characters() {
    String almost = "x".repeat(ErrorText.LONGEST - 1);

    assertThat(ErrorText.bounded(almost + "yz")).isEqualTo(almost + "y");
    assertThat(ErrorText.bounded(almost + "😀")).isEqualTo(almost);
  }
}
