package io.kairos.bench.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.bench.observe.Lateness;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.rig.NodeSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One verdict decides what is shown, what the search does and how the process ends. */
class DelayResultTest {
  private static final double LIMIT_MILLIS = 500;

  @Test
  void a_clean_run_says_so_everywhere() {
    DelayResult clean = result(1_000, 0, 0, 0, 0, Map.of("gone", 1.0));

    assertThat(DelayReport.verdict(clean)).isEqualTo("clean");
    assertThat(clean.passes(LIMIT_MILLIS)).isTrue();
    assertThat(DelayCommand.exitCode(List.of(clean))).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 1, 0, 0, 0, 0, duplicates",
    "1000, 0, 1, 0, 0, 0, early messages",
    "1000, 0, 0, 1, 0, 0, rows left behind",
    "1000, 0, 0, 0, 1, 0, takeovers without a fault",
    "1000, 0, 0, 0, 0, 1, suspicions without a fault",
    "900, 0, 0, 0, 0, 0, the rate was not kept",
  })
  void what_the_verdict_names_fails_the_search_and_the_process(
      double fired,
      long twice,
      long early,
      long left,
      double takenOver,
      double suspected,
      String fault) {
    DelayResult result =
        result(
            fired,
            0,
            twice,
            early,
            left,
            Map.of(NodeCounters.TAKEN_OVER, takenOver, NodeCounters.SUSPECTED, suspected));

    assertThat(DelayReport.verdict(result)).isEqualTo("NOT CLEAN: " + fault);
    assertThat(result.passes(LIMIT_MILLIS)).isFalse();
    assertThat(DelayCommand.exitCode(List.of(result))).isEqualTo(1);
  }

  @Test
  void a_lost_message_voids_all_runs_of_the_command() {
    DelayResult clean = result(1_000, 0, 0, 0, 0, Map.of());
    DelayResult lost = result(1_000, 1, 0, 0, 0, Map.of());

    assertThat(DelayReport.verdict(lost)).startsWith("VOID");
    assertThat(lost.passes(LIMIT_MILLIS)).isFalse();
    assertThat(DelayCommand.exitCode(List.of(clean, lost))).isEqualTo(3);
  }

  @Test
  void two_advances_stand_side_by_side() {
    LoadOptions load = new LoadOptions();
    load.advances = List.of("adaptive", "50ms");
    DelayResult result = result(1_000, 0, 0, 0, 0, Map.of());

    assertThat(load.nodes())
        .extracting(NodeSettings::properties)
        .containsExactly(
            List.of("delay.firing.advance=adaptive"), List.of("delay.firing.advance=50ms"));
    assertThat(SideBySide.table(load.advances, List.of(result, result)))
        .containsPattern("adaptive +50ms")
        .containsPattern("verdict +clean +clean");
    assertThatThrownBy(load::node).hasMessageContaining("--advance");
  }

  private static DelayResult result(
      double fired, long lost, long twice, long early, long left, Map<String, Double> counters) {
    return new DelayResult(
        new DelaySettings(
            1_000,
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            Duration.ZERO,
            Duration.ofSeconds(1),
            256,
            4,
            1,
            0,
            NodeSettings.shipped()),
        1_000,
        0,
        Duration.ZERO,
        fired,
        fired,
        new Lateness(1_000, 1, 1, 1, 1, 1, 1),
        new Lateness(1_000, 0, 0, 0, 0, 0, 0),
        new Ledger.Count(1_000 - lost, twice, early, early, Duration.ZERO, 0, 0, 0),
        new Ledger.Missing(lost, List.of()),
        new Cost(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        List.of(),
        counters,
        left,
        List.of(),
        List.of());
  }
}
