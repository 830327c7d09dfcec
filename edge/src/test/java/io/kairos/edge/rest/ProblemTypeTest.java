package io.kairos.edge.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ProblemTypeTest {
  /** Programs compare the URIs: one that is written there is never changed. */
  @Test
  void each_type_is_documented_with_its_uri_title_and_status() throws Exception {
    String page = Files.readString(Path.of("../docs/problems.md"));

    assertThat(Arrays.stream(ProblemType.values()))
        .allSatisfy(type ->
            assertThat(page)
                .contains(
                    "| `%s` | %d | `%s` | %s |"
                        .formatted(type.uri(), type.status().code(), type.code(), type.title())));
    assertThat(page.lines().filter(line -> line.startsWith("| `urn:")))
        .hasSize(ProblemType.values().length);
  }
}
