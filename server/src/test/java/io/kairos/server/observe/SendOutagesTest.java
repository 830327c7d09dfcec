package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.kairos.domain.task.queue.TopicName;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SendOutagesTest {
  private final LogLines lines = new LogLines(SendOutages.class);
  private long nanos = -5;
  private final SendOutages outages = new SendOutages(() -> nanos);

  @AfterEach
  void close() {
    lines.close();
  }

  private void pass(int seconds) {
    nanos += Duration.ofSeconds(seconds).toNanos();
    outages.sweep();
  }

  @Test
  void an_outage_is_told_when_it_begins_and_when_it_is_over_whatever_fails_meanwhile() {
    for (int i = 0; i < 100; i++) {
      outages.failed(new TopicName("out"), 2, "no answer");
      pass(1);
    }
    assertThat(lines.at(Level.WARN))
        .containsExactly(
            "cannot publish; the messages wait and are tried again topic=out partition=2 why=no answer");
    assertThat(lines.at(Level.INFO)).isEmpty();

    pass(19);
    assertThat(lines.at(Level.INFO))
        .singleElement()
        .asString()
        .contains("topic=out", "partition=2", "failures=100", "forMillis=99000");
  }

  @Test
  void partitions_have_their_own_outages_and_may_have_them_again() {
    outages.failed(new TopicName("out"), 1, "x");
    outages.failed(new TopicName("out"), 2, "x");
    pass(20);
    outages.failed(new TopicName("out"), 1, "x");

    assertThat(lines.at(Level.WARN)).hasSize(3);
    assertThat(lines.at(Level.INFO)).hasSize(2);
  }
}
