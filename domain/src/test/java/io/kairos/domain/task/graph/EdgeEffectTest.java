package io.kairos.domain.task.graph;

import static io.kairos.domain.task.graph.EdgeEffect.CANCELS;
import static io.kairos.domain.task.graph.EdgeEffect.FAILS;
import static io.kairos.domain.task.graph.EdgeEffect.SATISFIED;
import static io.kairos.domain.task.graph.EdgeEffect.STAYS_OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kairos.domain.task.TaskState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class EdgeEffectTest {
  @Test
  void each_end_of_a_predecessor_does_to_the_edge_what_the_table_says() {
    assertThat(effects(TaskState.SUCCEEDED)).containsExactly(SATISFIED, SATISFIED, SATISFIED);
    assertThat(effects(TaskState.FAILED)).containsExactly(STAYS_OPEN, FAILS, SATISFIED);
    assertThat(effects(TaskState.DEAD)).containsExactly(STAYS_OPEN, FAILS, SATISFIED);
    assertThat(effects(TaskState.CANCELLED)).containsExactly(CANCELS, CANCELS, SATISFIED);
  }

  /** For BLOCK, FAIL and CONTINUE. */
  private static List<EdgeEffect> effects(TaskState end) {
    return List.of(
        EdgeEffect.of(OnFailure.BLOCK, end),
        EdgeEffect.of(OnFailure.FAIL, end),
        EdgeEffect.of(OnFailure.CONTINUE, end));
  }

  @Test
  void a_predecessor_that_was_removed_can_no_longer_succeed() {
    assertThat(EdgeEffect.ofForgotten(OnFailure.BLOCK)).isEqualTo(FAILS);
    assertThat(EdgeEffect.ofForgotten(OnFailure.FAIL)).isEqualTo(FAILS);
    assertThat(EdgeEffect.ofForgotten(OnFailure.CONTINUE)).isEqualTo(SATISFIED);
  }

  @ParameterizedTest
  @EnumSource(
      value = TaskState.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SUCCEEDED", "FAILED", "CANCELLED", "DEAD"})
  void an_unfinished_predecessor_has_no_effect_yet(TaskState unfinished) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EdgeEffect.of(OnFailure.FAIL, unfinished))
        .withMessageContaining("is not an end");
  }
}
