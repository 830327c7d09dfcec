package io.kairos.bench.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.push.PushWorkerMain.Filter;
import io.kairos.bench.push.PushedEffects;
import io.kairos.bench.trial.LoadAccounts;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PushWorkerKillTest {
  private static final int TASKS = 4;

  private final ArrivalLedger effects = ArrivalLedger.ofEverything(0);

  @Test
  void one_effect_for_each_task_passes_when_repeats_came_to_nothing() {
    allOnce();

    assertThat(judged(Filter.STORED, 2, TASKS).passed()).isTrue();
  }

  @Test
  void kills_that_made_no_repeat_show_nothing() {
    allOnce();

    assertThat(judged(Filter.STORED, 0, TASKS).passed()).isFalse();
    assertThat(judged(Filter.RECENT, 0, TASKS).passed()).isTrue();
  }

  @Test
  void an_effect_that_is_had_twice_fails_the_transactional_filter_and_is_told_of_the_cache() {
    allOnce();
    effect(1);

    assertThat(judged(Filter.STORED, 2, TASKS).demands().problems())
        .isEqualTo("effects were doubled");
    assertThat(judged(Filter.RECENT, 0, TASKS).passed()).isTrue();
    assertThat(judged(Filter.RECENT, 0, TASKS).figures().toString()).contains("effects doubled 1");
  }

  @Test
  void a_task_without_an_effect_is_lost() {
    effect(0);
    effect(1);
    effect(3);

    assertThat(judged(Filter.RECENT, 0, TASKS).demands().problems())
        .isEqualTo("executions were lost: 1 are lost, for example [2]");
  }

  @Test
  void an_execution_id_that_changes_between_attempts_fails() {
    allOnce();

    assertThat(judged(Filter.RECENT, 0, TASKS + 1).passed()).isFalse();
  }

  private void allOnce() {
    for (int sequence = 0; sequence < TASKS; sequence++) {
      effect(sequence);
    }
  }

  private void effect(long sequence) {
    effects.arrived(sequence, 0, 0, true);
  }

  private FaultVerdict judged(Filter filter, long keptAway, long executions) {
    FaultVerdict verdict = new FaultVerdict("test");
    PushWorkerKill.judge(
        verdict,
        filter,
        new LoadAccounts(
            TASKS, TASKS, 0, Duration.ZERO, effects, effects.missing(TASKS, Set.of()), 0, 0),
        new PushedEffects.Count(keptAway, executions, TASKS));
    return verdict;
  }
}
