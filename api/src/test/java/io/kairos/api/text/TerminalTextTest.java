package io.kairos.api.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTextTest {
  @Test
  void characters_that_steer_a_terminal_are_escaped_and_all_others_stay() {
    assertThat(TerminalText.line("a\u001b[2Jb\u009b\u007f\r\nc\td"))
        .isEqualTo("a\\u001b[2Jb\\u009b\\u007f\\u000d\\u000ac\\u0009d");
    assertThat(TerminalText.line("\u202egpj.exe\u2066\u200f\u2028"))
        .isEqualTo("\\u202egpj.exe\\u2066\\u200f\\u2028");
    assertThat(TerminalText.line("Grüße, 東京 \uD83D\uDC69\u200D\uD83D\uDCBB"))
        .isEqualTo("Grüße, 東京 \uD83D\uDC69\u200D\uD83D\uDCBB");
  }

  @Test
  void a_text_of_several_lines_keeps_its_line_ends_and_tabs() {
    assertThat(TerminalText.lines("at a\n\tat b\u0007\u202e"))
        .isEqualTo("at a\n\tat b\\u0007\\u202e");
  }
}
