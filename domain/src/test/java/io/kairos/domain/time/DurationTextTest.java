package io.kairos.domain.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
  @ParameterizedTest
  @CsvSource({
    "0s, PT0S",
    "250us, PT0.00025S",
    "500ms, PT0.5S",
    "1500ms, PT1.5S",
    "90s, PT1M30S",
    "10m, PT10M",
    "2h, PT2H",
    "7d, PT168H"
  })
  void what_is_written_is_read_back(String text, Duration length) {
    assertThat(DurationText.parse(text)).isEqualTo(length);
    assertThat(DurationText.of(length)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "1.5s, PT1.5S",
    "0.000000001s, PT0.000000001S",
    "PT1M30S, PT1M30S",
    "pt1h30m, PT90M",
    "p2d, PT48H",
    "P1DT0.5S, P1DT0.5S",
    "1440m, PT24H",
    "1h30m, PT90M",
    "30m1h, PT90M",
    "1m5ms, PT60.005S",
    "1m1.5s, PT61.5S",
    "1d2h3m4.5s, P1DT2H3M4.5S",
    "2w, P14D",
    "999999999999999999us, PT999999999999.999999S"
  })
  void other_forms_are_read_too(String text, Duration length) {
    assertThat(DurationText.parse(text)).isEqualTo(length);
  }

  @ParameterizedTest
  @CsvSource({
    "PT24H, 1d",
    "PT1H30M, 90m",
    "PT1.5S, 1500ms",
    "PT0.000000001S, PT0.000000001S",
    "PT-5S, PT-5S",
    "PT167999999999832H16M39.999S, PT167999999999832H16M39.999S"
  })
  void a_length_is_written_in_the_largest_unit_without_a_fraction(Duration length, String text) {
    assertThat(DurationText.of(length)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "5",
        "s",
        "5 m",
        "-5m",
        "1.5h",
        "soon",
        "PT-5S",
        "999999999999999d",
        "5x",
        "1h 30m",
        "1h30",
        "1.5ms",
        "1.s",
        ".5s",
        "1.0000000001s",
        "5S",
        "P",
        "1y",
        "\u0665s",
        "1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s",
        "-PT5S",
        "99999999999999999999s"
      })
  void what_is_none_is_refused_with_examples(String text) {
    assertThatThrownBy(() -> DurationText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("10m");
  }
}
