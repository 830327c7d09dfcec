package io.kairos.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the docs show is what the tests run. */
class DocumentedExamplesTest {
  private static final Path SOURCES = Path.of("src/main/java/io/kairos/examples");
  private static final Path DOCS = Path.of("../docs/delay-queue.md");
  private static final Pattern EXAMPLE =
      Pattern.compile("<!-- example: (\\w+) -->\n```java\n(.*?)```\n", Pattern.DOTALL);

  @Test
  void every_example_in_the_docs_is_the_source_that_is_tested() throws IOException {
    List<MatchResult> examples = EXAMPLE.matcher(Files.readString(DOCS)).results().toList();

    assertThat(examples).extracting(example -> example.group(1)).doesNotHaveDuplicates().hasSize(5);
    for (MatchResult example : examples) {
      String source = Files.readString(SOURCES.resolve(example.group(1) + ".java"));
      String shown = source.substring(source.indexOf("import "));
      assertThat(example.group(2))
          .as("copy %s.java into docs/delay-queue.md", example.group(1))
          .isEqualTo(shown);
    }
  }
}
