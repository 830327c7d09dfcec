package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class TextLogLayoutTest {
  private final LoggerContext context = new LoggerContext();

  @Test
  void a_value_can_neither_forge_a_line_nor_steer_the_terminal() {
    LoggingEvent event =
        new LoggingEvent(
            "",
            context.getLogger("io.kairos.Any"),
            Level.WARN,
            "refused",
            new Exception("\u001b[0m"),
            null);
    event.setKeyValuePairs(List.of(new KeyValuePair("handler", "a\nINFO all is well\u202e")));

    String text = new TextLogLayout(context).doLayout(event);

    assertThat(text.lines().findFirst())
        .hasValueSatisfying(line ->
            assertThat(line)
                .contains("WARN ", "[Any] refused")
                .endsWith("handler=\"a\\u000aINFO all is well\\u202e\""));
    assertThat(text.lines().skip(1)).first().asString().contains("java.lang.Exception: \\u001b[0m");
    assertThat(text).contains("\tat ").endsWith(System.lineSeparator());
  }
}
