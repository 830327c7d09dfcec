package io.kairos.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlFileTest {
  @Test
  void nested_and_dotted_keys_mean_the_same() throws IOException {
    assertThat(read("http:\n  port: 1\nkafka.client:\n  sasl.mechanism: PLAIN\n"))
        .isEqualTo(Map.of("http.port", "1", "kafka.client.sasl.mechanism", "PLAIN"));
  }

  @Test
  void values_are_texts_whatever_they_look_like() throws IOException {
    assertThat(read("a: 0x10\nb: yes\nc: '007'\nd: 1_000\ne: 12:30\n"))
        .isEqualTo(Map.of("a", "0x10", "b", "yes", "c", "007", "d", "1_000", "e", "12:30"));
  }

  @Test
  void a_list_is_its_elements() throws IOException {
    assertThat(read("a: [x, y]\nb:\n  - z\n")).isEqualTo(Map.of("a", "x,y", "b", "z"));
  }

  @Test
  void an_empty_file_gives_nothing() throws IOException {
    assertThat(read("")).isEmpty();
    assertThat(read("# nothing yet\n")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a: 1\\na: 2               | kairos.yaml line 2
          a.b: 1\\na:\\n  b: 2      | a.b is given twice, here and by kairos.yaml line 1
          a:                        | a has no value
          a: &x 1\\nb: *x           | refers to an anchor
          - a                       | expected keys such as http.port, found a list
          just words                | expected keys such as http.port, found a single value
          a: 1\\n---\\nb: 2         | a second document begins
          a: [[1]]                  | a must be a list of plain values
          a: 'b                     | kairos.yaml line
          a: b: c                   | kairos.yaml line 1
          """)
  void what_is_not_plain_is_refused_with_its_line(String text, String problem) {
    assertThatThrownBy(() -> read(text.replace("\\n", "\n")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("kairos.yaml line ")
        .hasMessageContaining(problem);
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    assertThatThrownBy(() -> YamlFile.read(Path.of("/no/such.yaml")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("/no/such.yaml (--config) cannot be read");
  }

  private static Map<String, String> read(String text) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    YamlFile.parse("kairos.yaml", new StringReader(text))
        .forEach((key, given) -> texts.put(key, given.text()));
    return texts;
  }
}
