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
  void figures_are_read_from_the_result() throws JsonProcessingException {
    JsonNode json =
        json("{'result': {'perSecond': 20000, 'lateness': {'p999': 7.5}, 'cpuMicros': 44}}");

    assertThat(ComparedRun.values())
        .allSatisfy(run -> assertThat(run.read(json)).isEqualTo(new Figures(20_000, 7.5, 44)));
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
