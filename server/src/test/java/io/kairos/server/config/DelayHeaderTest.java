package io.kairos.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kairos.api.text.DurationText;
import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.InputRecord;
import io.kairos.domain.delay.InputSubmission;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.delay.SubmissionReader;
import io.kairos.domain.time.EpochMicros;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The header kairos-delay takes the durations that settings and the command line take. Their
 * parsers are two, because neither of the modules domain and api may know the other.
 */
class DelayHeaderTest {
  private static final SubmissionReader READER =
      new SubmissionReader(new RouteId(1), Set.of(), 1_000, false, false);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0s",
        "5us",
        "500ms",
        "3s",
        "1.5s",
        "0.000001s",
        "10m",
        "1h",
        "7d",
        "PT5S",
        "pt1m30s",
        "P1DT2H",
        "P2D",
        "PT0.5S",
        "36500d"
      })
  void what_the_command_line_takes_the_header_takes(String text) {
    assertThat(read(text))
        .isInstanceOfSatisfying(
            InputSubmission.Delay.class,
            delay ->
                assertThat(delay.message().dueMicros())
                    .isEqualTo(EpochMicros.lengthOf(DurationText.parse(text))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5 s",
        "-5s",
        "-PT5S",
        "1.5m",
        "5w",
        "s",
        "1.s",
        "1.1234567891s",
        "PT",
        "tomorrow",
        "99999999999999999999s"
      })
  void what_the_command_line_refuses_the_header_refuses(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> DurationText.parse(text));
    assertThat(read(text)).isInstanceOf(InputSubmission.Rejected.class);
  }

  private static InputSubmission read(String delay) {
    return READER.read(
        new InputRecord(
            0,
            0,
            0,
            null,
            null,
            List.of(
                new MessageHeader(ControlHeaders.ID, "a".getBytes(UTF_8)),
                new MessageHeader(ControlHeaders.DELAY, delay.getBytes(UTF_8)))));
  }
}
