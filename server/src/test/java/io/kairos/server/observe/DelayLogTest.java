package io.kairos.server.observe;

import static io.kairos.server.observe.Samples.NODE;
import static io.kairos.server.observe.Samples.ROUTE;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DelayLogTest {
  private static final String FIRST_TEN = "first=m1, m2, m3, m4, m5, m6, m7, m8, m9, m10";

  private final LogLines lines = new LogLines(DelayLog.class);
  private final DelayLog log =
      new DelayLog(Map.of(ROUTE, "orders"), new SendOutages(() -> 0), new DeadLetterCounts());

  @AfterEach
  void close() {
    lines.close();
  }

  @Test
  void ch32_one_warning_per_suspect_and_pass_has_the_count_and_the_first_ten_ids() {
    log.suspected(NODE, Samples.suspects(12));

    assertThat(lines.at(Level.WARN))
        .singleElement()
        .asString()
        .contains("node=" + NODE, "count=12", FIRST_TEN + ", ...")
        .doesNotContain("m11");
  }

  @Test
  void ch32_every_suspected_id_is_told_at_debug() {
    log.suspected(NODE, Samples.suspects(12));

    assertThat(lines.at(Level.DEBUG))
        .hasSize(12)
        .allMatch(line -> line.contains("route=orders") && line.contains("node=" + NODE))
        .anyMatch(line -> line.endsWith("id=m12"));
  }

  @Test
  void ch32_a_takeover_from_a_dead_node_warns_with_the_ids_as_well() {
    log.takenOver(NODE, false, Samples.claimed(11));

    assertThat(lines.at(Level.WARN))
        .singleElement()
        .asString()
        .contains("suspected to be dead", "node=" + NODE, "count=11", FIRST_TEN + ", ...");
    assertThat(lines.at(Level.DEBUG)).hasSize(11).anyMatch(line -> line.endsWith("id=m11"));
  }

  @Test
  void what_a_stopped_node_gave_back_is_no_suspicion() {
    log.takenOver(NODE, true, Samples.claimed(10));

    assertThat(lines.at(Level.WARN)).isEmpty();
    assertThat(lines.at(Level.INFO)).singleElement().asString().endsWith(FIRST_TEN);
  }

  @Test
  void ch28_messages_that_were_gone_at_their_deletion_are_a_warning() {
    log.gone(Samples.claimed(1));

    assertThat(lines.at(Level.WARN)).singleElement().asString().contains("count=1", "first=m1");
  }
}
