package io.kairos.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kairos.api.text.DurationText;
import io.kairos.domain.time.DurationReader;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The modules api and domain may not see each other, so each has a parser of durations. */
class DurationGrammarTest {
  @ParameterizedTest
  @CsvSource({
    "0s, PT0S",
    "250us, PT0.00025S",
    "500ms, PT0.5S",
    "1.5s, PT1.5S",
    "0.000000001s, PT0.000000001S",
    "90s, PT90S",
    "1h30m, PT90M",
    "30m1h, PT90M",
    "1m5ms, PT60.005S",
    "1d2h3m4.5s, P1DT2H3M4.5S",
    "2w, P14D",
    "PT90S, PT90S",
    "pt1h30m, PT90M",
    "P1DT0.5S, P1DT0.5S",
    "999999999999999999us, PT999999999999.999999S"
  })
  void both_parsers_read_a_duration_alike(String text, Duration length) {
    assertThat(DurationText.parse(text)).isEqualTo(length);
    assertThat(DurationReader.read(text)).isEqualTo(length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "5",
        "s",
        "5 m",
        "1h 30m",
        "1h30",
        "-5m",
        "1.5h",
        "1.5ms",
        "1.s",
        ".5s",
        "1.0000000001s",
        "5x",
        "5S",
        "soon",
        "P",
        "PT-5S",
        "-PT5S",
        "1y",
        "\u0665s",
        "999999999999999d",
        "9999999999999999999s",
        "1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s1s"
      })
  void both_parsers_refuse_other_texts(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> DurationText.parse(text));
    assertThatIllegalArgumentException().isThrownBy(() -> DurationReader.read(text));
  }
}
