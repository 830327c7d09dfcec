package io.kairos.server.tidy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that says which test shows which behaviour of the references. */
class BehavioursTest {
  private static final Repository HOUSE =
      new Repository(Path.of("..").toAbsolutePath().normalize());
  private static final String PAGE = HOUSE.text("docs/behaviours.md");
  private static final Pattern NUMBER =
      Pattern.compile("(?m)^\\| ((?:CC|CH|TW|DA|PD|PH)-[BFL]?\\d+) \\|");
  private static final Pattern CLASS = Pattern.compile("`([A-Z][A-Za-z]+)`");

  private static Stream<String> numbers(String prefix, int last) {
    return IntStream.rangeClosed(1, last).mapToObj(number -> prefix + number);
  }

  private static List<String> found(Pattern pattern) {
    return pattern
        .matcher(PAGE)
        .results()
        .map((MatchResult result) -> requireNonNull(result.group(1)))
        .toList();
  }

  @Test
  void every_behaviour_is_on_the_page_once() {
    assertThat(found(NUMBER))
        .containsExactlyElementsOf(
            Stream.of(
                    numbers("CC-", 50),
                    numbers("CC-L", 7),
                    numbers("CC-F", 2),
                    numbers("CH-", 53),
                    numbers("CH-B", 12),
                    numbers("CH-L", 6),
                    numbers("CH-F", 2),
                    numbers("TW-", 16),
                    numbers("TW-L", 6),
                    numbers("DA-", 24),
                    numbers("DA-L", 8),
                    numbers("DA-F", 3),
                    numbers("PD-", 44),
                    numbers("PD-L", 15),
                    numbers("PH-", 41),
                    numbers("PH-L", 4),
                    numbers("PH-F", 3))
                .flatMap(all -> all)
                .toList());
  }

  @Test
  void every_class_that_the_page_names_exists() {
    List<String> sources = HOUSE.javaOf("/src/");

    assertThat(found(CLASS))
        .isNotEmpty()
        .allMatch(name -> sources.stream().anyMatch(file -> file.endsWith("/" + name + ".java")));
  }
}
