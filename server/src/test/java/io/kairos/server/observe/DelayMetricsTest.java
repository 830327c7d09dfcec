package io.kairos.server.observe;

import static io.kairos.server.observe.Samples.NODE;
import static io.kairos.server.observe.Samples.ROUTE;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.kairos.domain.delay.AmendmentOutcome;
import io.kairos.domain.delay.RecordRejection;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelayMetricsTest {
  private static final String FIRST_TEN = "first=m1, m2, m3, m4, m5, m6, m7, m8, m9, m10";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RefusedWrites writes = new RefusedWrites(() -> 0);
  private final DelayMetrics metrics =
      new DelayMetrics(
          registry,
          writes,
          Map.of(ROUTE, "orders"),
          () -> {
            throw new IllegalStateException("nobody looks at the store");
          },
          InstantSource.system(),
          () -> 0);
  private final LogLines lines = new LogLines(DelayMetrics.class);

  @AfterEach
  void close() {
    lines.close();
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  @Test
  void every_counter_stands_at_zero_before_its_first_event() {
    assertThat(registry.find("kairos.delay.dead.letters").counters())
        .hasSize(RecordRejection.Reason.values().length);
    assertThat(registry.find("kairos.delay.amendments").counters())
        .hasSize(AmendmentOutcome.values().length);
    assertThat(registry.getMeters().stream().filter(Counter.class::isInstance))
        .hasSizeGreaterThan(20)
        .allMatch(counter -> ((Counter) counter).count() == 0);
  }

  @ParameterizedTest
  @CsvSource({"-5001, 1", "-5000, 0", "0, 0", "5001, 0"})
  void more_than_five_milliseconds_before_the_due_time_is_early(long lateness, double early) {
    metrics.fired(Samples.message(1), lateness, 1_000_000);

    assertThat(count("kairos.delay.early", "route", "orders")).isEqualTo(early);
  }

  @Test // CH-46
  void ch46_lateness_is_measured_by_its_absolute_value() {
    metrics.fired(Samples.message(1), -20_000, 3_000_000);
    metrics.fired(Samples.message(2), 40_000, 5_000_000);
    metrics.look();

    assertThat(
            registry.get("kairos.delay.lateness").tags("route", "orders").summary().totalAmount())
        .isEqualTo(0.06);
    assertThat(registry.get("kairos.delay.publish").summary().max()).isEqualTo(0.005);
    assertThat(
            registry.get("kairos.delay.lateness.recent").tags("percentile", "100").gauge().value())
        .isBetween(0.0395, 0.0405);
    assertThat(count("kairos.delay.fired", "route", "orders", "path", "stored")).isEqualTo(2);
  }

  @Test
  void what_was_taken_over_taken_back_or_gone_is_counted_by_message() {
    metrics.takenOver(NODE, true, Samples.claimed(2));
    metrics.takenOver(NODE, false, Samples.claimed(3));
    metrics.suspected(NODE, Samples.suspects(4));
    metrics.gone(Samples.claimed(5));

    assertThat(count("kairos.delay.taken.over", "from", "retired-node")).isEqualTo(2);
    assertThat(count("kairos.delay.taken.over", "from", "lapsed-node")).isEqualTo(3);
    assertThat(count("kairos.delay.suspected")).isEqualTo(4);
    assertThat(count("kairos.delay.gone")).isEqualTo(5);
  }

  @Test
  void ch12_duplicates_of_pending_messages_are_counted_apart() {
    metrics.accepted(ROUTE, 7, 2);
    metrics.firedDirectly(Samples.message(1), 100);

    assertThat(count("kairos.delay.accepted", "route", "orders")).isEqualTo(7);
    assertThat(count("kairos.delay.duplicates", "route", "orders")).isEqualTo(2);
    assertThat(count("kairos.delay.fired", "route", "orders", "path", "direct")).isEqualTo(1);
  }

  @Test
  void ch32_one_warning_per_suspect_and_pass_has_the_count_and_the_first_ten_ids() {
    metrics.suspected(NODE, Samples.suspects(12));

    assertThat(lines.at(Level.WARN))
        .singleElement()
        .asString()
        .contains("node=" + NODE, "count=12", FIRST_TEN + ", ...")
        .doesNotContain("m11");
  }

  @Test
  void ch32_every_suspected_id_is_told_at_debug() {
    metrics.suspected(NODE, Samples.suspects(12));

    assertThat(lines.at(Level.DEBUG))
        .hasSize(12)
        .allMatch(line -> line.contains("route=orders") && line.contains("node=" + NODE))
        .anyMatch(line -> line.endsWith("id=m12"));
  }

  @Test
  void ch32_a_takeover_from_a_dead_node_warns_with_the_ids_as_well() {
    metrics.takenOver(NODE, false, Samples.claimed(11));

    assertThat(lines.at(Level.WARN))
        .singleElement()
        .asString()
        .contains("suspected to be dead", "node=" + NODE, "count=11", FIRST_TEN + ", ...");
    assertThat(lines.at(Level.DEBUG)).hasSize(11).anyMatch(line -> line.endsWith("id=m11"));
  }

  @Test
  void what_a_stopped_node_gave_back_is_no_suspicion() {
    metrics.takenOver(NODE, true, Samples.claimed(10));

    assertThat(lines.at(Level.WARN)).isEmpty();
    assertThat(lines.at(Level.INFO)).singleElement().asString().endsWith(FIRST_TEN);
  }

  @Test
  void ch28_messages_that_were_gone_at_their_deletion_are_a_warning() {
    metrics.gone(Samples.claimed(1));

    assertThat(lines.at(Level.WARN)).singleElement().asString().contains("count=1", "first=m1");
  }

  @Test
  void a_partition_that_is_read_again_in_each_round_of_an_outage_is_one_line() {
    metrics.repositioned(ROUTE, 3);
    metrics.repositioned(ROUTE, 3);
    assertThat(lines.at(Level.INFO)).hasSize(1);

    metrics.accepted(ROUTE, 1, 0);
    metrics.repositioned(ROUTE, 3);

    assertThat(lines.at(Level.INFO)).hasSize(2);
  }

  @Test
  void what_the_store_does_not_take_in_is_an_obstacle() {
    metrics.notAccepted(ROUTE, "No space left on device");

    assertThat(writes.obstacles())
        .containsExactly("no messages of route orders are accepted: No space left on device");
  }
}
