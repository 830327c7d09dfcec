package io.kairos.edge.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokensFileTest {
  private static final String HASH = "0123456789abcdef".repeat(4);

  @Test
  void each_line_is_a_token() {
    assertThat(
            TokensFile.read(
                """
                # rotated each month
                ci %s 2027-01-31T00:00:00Z

                  ci   %s
                """
                    .formatted(HASH, "AB".repeat(32)),
                Set.of("ci")))
        .containsExactly(
            new TokensFile.Token("ci", HASH, Instant.parse("2027-01-31T00:00:00Z")),
            new TokensFile.Token("ci", "ab".repeat(32), null));
  }

  @ParameterizedTest
  @CsvSource({
    "ci, must be the name of a caller",
    "ci HASH 2027-01-31T00:00:00Z more, must be the name of a caller",
    "nobody HASH, no caller of http.callers has this name",
    "ci secret-token, 64 hexadecimal digits",
    "ci HASH tomorrow, a time such as 2027-01-31T00:00:00Z",
  })
  void a_mistake_is_told_with_its_line_and_without_what_stands_there(String line, String rule) {
    assertThatThrownBy(() -> TokensFile.read("\n" + line.replace("HASH", HASH), Set.of("ci")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("line 2: ")
        .hasMessageContaining(rule)
        .hasMessageNotContaining("secret-token");
  }

  @Test
  void a_token_is_one_callers() {
    assertThatThrownBy(() -> TokensFile.read("a %s\nb %s".formatted(HASH, HASH), Set.of("a", "b")))
        .hasMessage("line 2: another line has the same token");
  }
}
