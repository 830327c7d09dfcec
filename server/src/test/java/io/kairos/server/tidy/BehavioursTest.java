package io.kairos.server.tidy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
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
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| ((?:CC|CH|TW|DA|PD|PH)-[BFL]?\\d+) \\| .* \\| (.*) \\|$");
  private static final Pattern CLASS = Pattern.compile("`([A-Z][A-Za-z]+)`");

  private record Row(String number, String shownBy, List<String> classes) {}

  private static final List<Row> ROWS =
      ROW.matcher(HOUSE.text("docs/behaviours.md"))
          .results()
          .map(row ->
              new Row(
                  group(row, 1),
                  group(row, 2),
                  CLASS.matcher(group(row, 2)).results().map(one -> group(one, 1)).toList()))
          .toList();

  private static String group(MatchResult found, int number) {
    return requireNonNull(found.group(number));
  }

  private static Stream<String> numbers(String prefix, int last) {
    return IntStream.rangeClosed(1, last).mapToObj(number -> prefix + number);
  }

  @Test
  void every_behaviour_is_on_the_page_once() {
    assertThat(ROWS.stream().map(Row::number))
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
  void every_behaviour_is_shown_by_a_class_or_the_page_says_why_by_nothing() {
    assertThat(ROWS)
        .filteredOn(row -> row.classes().isEmpty())
        .extracting(Row::shownBy)
        .allMatch(shownBy -> shownBy.matches("nothing: .+"));
  }

  @Test
  void every_class_that_the_page_names_exists_and_every_test_has_the_number_in_its_text() {
    List<String> sources = HOUSE.javaOf("/src/");

    List<String> wrong = new ArrayList<>();
    for (Row row : ROWS) {
      for (String name : row.classes()) {
        List<String> files =
            sources.stream().filter(file -> file.endsWith("/" + name + ".java")).toList();
        if (files.isEmpty()) {
          wrong.add("there is no " + name + " for " + row.number());
        } else if (files.stream().noneMatch(file -> shows(file, row.number()))) {
          wrong.add(name + " has " + row.number() + " in no method's name and no comment");
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** The commands of bench show something when they are run, and cite nothing. */
  private static boolean shows(String file, String number) {
    return file.contains("bench/src/main/") || cites(HOUSE.text(file), number);
  }

  /** In comments as CH-B2, in names of methods as ch_b2, chb2, or ch02 for CH-2. */
  private static boolean cites(String text, String number) {
    String prefix = number.substring(0, 2);
    String letter = number.replaceAll("^..-|\\d", "");
    String digits = number.replaceAll("\\D", "");
    return Pattern.compile(
            "(?<![a-z])" + prefix + "[-_]?" + letter + "0*" + digits + "(?!\\d)",
            Pattern.CASE_INSENSITIVE)
        .matcher(text)
        .find();
  }
}
