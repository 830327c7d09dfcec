package io.kairos.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.kairos.domain.delay.RecordRejection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadLetterCountsTest {
  private final LogLines lines = new LogLines(DeadLetterCounts.class);
  private final DeadLetterCounts counts = new DeadLetterCounts();

  @AfterEach
  void close() {
    lines.close();
  }

  @Test
  void ch08_the_first_is_an_error_at_once_and_a_stream_becomes_one_line_per_sweep() {
    for (int i = 0; i < 1_000; i++) {
      counts.add("orders", RecordRejection.Reason.MISSING_ID);
    }
    assertThat(lines.at(Level.ERROR))
        .singleElement()
        .asString()
        .contains("route=orders", "reason=missing-id", "count=1");

    counts.sweep();
    assertThat(lines.at(Level.ERROR)).hasSize(2).last().asString().contains("count=999");
  }

  @Test
  void ch08_after_a_quiet_sweep_the_next_is_told_at_once_again() {
    counts.add("orders", RecordRejection.Reason.MISSING_ID);
    counts.sweep();
    counts.add("orders", RecordRejection.Reason.MISSING_ID);

    assertThat(lines.at(Level.ERROR)).hasSize(2);
  }

  @Test
  void routes_and_reasons_are_told_apart() {
    counts.add("orders", RecordRejection.Reason.MISSING_ID);
    counts.add("bills", RecordRejection.Reason.MISSING_ID);
    counts.add("orders", RecordRejection.Reason.TOO_LARGE);

    assertThat(lines.at(Level.ERROR)).hasSize(3);
  }
}
