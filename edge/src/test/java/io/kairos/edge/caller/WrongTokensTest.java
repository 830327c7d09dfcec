package io.kairos.edge.caller;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class WrongTokensTest {
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(WrongTokens.class);
  private long nanos;
  private final WrongTokens wrong = new WrongTokens(() -> nanos);

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(lines);
  }

  @Test
  void the_log_says_why_for_the_first_of_an_address_and_when_they_become_too_many() {
    for (int i = 0; i < 10; i++) {
      assertThat(wrong.isTooMany("10.0.0.1", "audience " + i)).isFalse();
    }
    for (int i = 10; i < 30; i++) {
      assertThat(wrong.isTooMany("10.0.0.1", "audience " + i)).isTrue();
    }
    assertThat(wrong.isTooMany("10.0.0.2", "x".repeat(5_000))).isFalse();
    nanos += Duration.ofSeconds(61).toNanos();
    assertThat(wrong.isTooMany("10.0.0.1", "later")).isFalse();

    assertThat(lines.list)
        .extracting(line -> line.getKeyValuePairs().get(1).value)
        .containsExactly("audience 0", "audience 10", "x".repeat(200), "later");
  }

  @Test
  void of_too_many_addresses_the_further_ones_are_counted_together() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(wrong.isTooMany("address " + i, "why")).isFalse();
    }

    for (int i = 0; i < 10; i++) {
      assertThat(wrong.isTooMany("another " + i, "why")).isFalse();
    }
    assertThat(wrong.isTooMany("another", "why")).isTrue();
    assertThat(wrong.isTooMany("address 7", "why")).isFalse();
  }
}
