package io.kairos.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class DurationWordTest {
  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "0s, PT0S",
    "30s, PT30S",
    "10m, PT10M",
    "1h, PT1H",
    "PT1M30S, PT1M30S",
    "p2d, PT48H",
    "2d, PT48H",
    "1.5s, PT1.5S"
  })
  void durations_are_read_as_people_write_them(String word, Duration duration) {
    assertThat(new DurationWord().convert(word)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "5 m", "-5m", "1.5h", "soon"})
  void what_is_none_is_refused_with_examples(String word) {
    assertThatThrownBy(() -> new DurationWord().convert(word))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + word + "'")
        .hasMessageContaining("10m");
  }
}
