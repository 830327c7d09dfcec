package io.kairos.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RoffTest {
  @Test
  void every_character_stands_for_itself() {
    assertThat(Roff.escaped("--at '*' \"x\" `~^ C:\\dir é"))
        .isEqualTo("\\-\\-at \\(aq*\\(aq \\(dqx\\(dq \\(ga\\(ti\\(ha C:\\(rsdir \\[u00E9]");
  }

  @Test
  void no_text_becomes_a_request() {
    String page = new Roff().request("SH", "A \"b\"").line(".TH evil").line("'br").toString();

    assertThat(page).isEqualTo(".SH \"A \\(dqb\\(dq\"\n\\&.TH evil\n\\(aqbr\n");
  }
}
