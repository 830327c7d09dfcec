package io.kairos.examples;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the docs show is what the tests run. */
class DocumentedExamplesTest {
  private static final List<Path> SOURCES =
      List.of(
          Path.of("src/main/java/io/kairos/examples"),
          Path.of("src/test/java/io/kairos/examples"),
          Path.of("cron-module/src/test/java/io/kairos/examples/lease"));
  private static final Pattern EXAMPLE =
      Pattern.compile("<!-- example: (\\w+) -->\n```java\n(.*?)```\n", Pattern.DOTALL);

  @ParameterizedTest
  @CsvSource({
    "delay-queue.md, 5",
    "java-client.md, 3",
    "tasks.md, 2",
    "testing.md, 1",
    "determinism.md, 1",
    "embedding.md, 1",
    "in-process.md, 1"
  })
  void every_example_in_the_docs_is_the_source_that_is_tested(String page, int count)
      throws IOException {
    List<MatchResult> examples =
        EXAMPLE.matcher(Files.readString(Path.of("../docs", page))).results().toList();

    assertThat(examples)
        .extracting(example -> example.group(1))
        .doesNotHaveDuplicates()
        .hasSize(count);
    for (MatchResult example : examples) {
      String name = requireNonNull(example.group(1)) + ".java";
      Path file =
          SOURCES.stream()
              .map(folder -> folder.resolve(name))
              .filter(Files::exists)
              .findFirst()
              .orElseThrow();
      String source = Files.readString(file);
      String shown = source.substring(source.indexOf("import "));
      assertThat(example.group(2)).as("copy %s into docs/%s", name, page).isEqualTo(shown);
    }
  }
}
