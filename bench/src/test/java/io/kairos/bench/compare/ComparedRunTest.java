package io.kairos.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.bench.compare.ComparedRun.Figures;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ComparedRunTest {
  @Test
  void figures_are_found_by_the_keys_that_all_runs_share() throws JsonProcessingException {
    JsonNode json =
        json("{'result': {'perSecond': 20000, 'lateness': {'p999': 7.5}, 'cpuMicros': 44}}");

    assertThat(ComparedRun.values())
        .allSatisfy(run -> assertThat(run.read(json)).isEqualTo(new Figures(20_000, 7.5, 44)));
  }

  @Test
  void figures_of_the_first_baseline_are_found_by_its_keys() throws JsonProcessingException {
    assertThat(
            ComparedRun.DELAY.read(
                json(
                    "{'result': {'firedPerSecond': 20000, 'lateness': {'p999': 7.5}, 'cost': {'cpuMicrosPerMessage': 44}}}")))
        .isEqualTo(new Figures(20_000, 7.5, 44));
    assertThat(
            ComparedRun.TASKS.read(
                json(
                    "{'result': {'endedPerSecond': 30000, 'latenessP999': 9, 'nodeMicros': 12, 'postgresMicros': 30, 'workerMicros': 3}}")))
        .isEqualTo(new Figures(30_000, 9, 45));
    assertThat(
            ComparedRun.PUSH.read(
                json(
                    "{'result': {'pushedPerSecond': 500, 'latenessP999': 9, 'nodeMicros': 200, 'postgresMicros': 100}}")))
        .isEqualTo(new Figures(500, 9, 300));
  }

  @Test
  void a_figure_that_is_missing_is_no_zero() {
    assertThatThrownBy(() -> ComparedRun.PUSH.read(json("{'result': {}}")))
        .hasMessageContaining("/perSecond");
  }

  @Test
  void both_sides_are_given_the_same_arguments() {
    assertThat(ComparedRun.DELAY.arguments(Duration.ofSeconds(30), Duration.ofSeconds(20)))
        .containsExactly(
            "delay", "--rate", "20000", "--warmup", "30000ms", "--duration", "20000ms");
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }
}
