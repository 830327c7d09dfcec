package io.kairos.server.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TidyTest {
  private static final Repository HOUSE =
      new Repository(Path.of("..").toAbsolutePath().normalize());
  private static final Repository SPECIMENS =
      new Repository(Path.of("src/test/resources/tidy-specimen").toAbsolutePath());

  @ParameterizedTest
  @MethodSource("io.kairos.server.tidy.TidyRules#all")
  void the_house_is_tidy(TidyRule rule) {
    assertThat(rule.findings().apply(HOUSE)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("io.kairos.server.tidy.TidyRules#all")
  void the_rule_finds_its_specimen_and_nothing_else(TidyRule rule) {
    assertThat(rule.findings().apply(SPECIMENS))
        .hasSize(1)
        .allMatch(finding -> finding.startsWith(rule.specimen() + ": "));
  }

  @Test
  void the_rules_see_the_house() {
    assertThat(HOUSE.files(name -> true))
        .contains("pom.xml", "kairos", "README.md", ".ci/run", "server/pom.xml")
        .noneMatch(name -> name.contains("tidy-specimen"));
  }

  @Test
  void a_statement_is_found_in_one_string_in_several_and_in_a_text_block() {
    String source =
        """
        // "delete from comment"
        /* "delete from comment" */
        String a = "select id " + "from t";
        char quote = '"';
        String b = \"""
            update t set "x" = 1
            \""";
        String c = f("one", "two \\" three");
        """;

    assertThat(JavaStrings.in(source))
        .map(String::strip)
        .containsExactly("select id from t", "update t set \"x\" = 1", "one", "two \\\" three");
  }
}
