package io.kairos.bench.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.graph.GraphEvent.Kind;
import io.kairos.bench.graph.GraphJudge.Edge;
import io.kairos.bench.graph.GraphJudge.Stored;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.OnFailure;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphJudgeTest {
  private static final UUID LOAD = new UUID(0, 1);
  private static final UUID CHECK = new UUID(0, 2);
  private static final UUID PUBLISH = new UUID(0, 3);

  private final GraphJudge judge = new GraphJudge();

  @Test
  void a_chain_that_was_performed_in_its_order_is_right() {
    performed(LOAD, 10, 20);
    performed(CHECK, 20, 30);

    judgeChain(OnFailure.FAIL);

    assertRight();
  }

  @Test
  void a_successor_that_still_waits_after_a_success_is_missing() {
    performed(LOAD, 10, 20);
    unfinished(CHECK);

    judgeChain(OnFailure.FAIL);

    assertThat(judge.missing()).hasSize(1);
  }

  @Test
  void a_task_that_is_not_in_the_store_is_missing() {
    performed(LOAD, 10, 20);

    judgeChain(OnFailure.CONTINUE);

    assertThat(judge.missing()).hasSize(1);
  }

  @Test
  void a_success_that_nobody_has_performed_is_missing() {
    judge.stored(LOAD, new Stored(TaskState.SUCCEEDED, 20, 2, Set.of()));

    judge.judge(List.of(LOAD), List.of());

    assertThat(judge.missing()).hasSize(1);
  }

  @Test
  void a_task_waits_for_ever_behind_one_that_has_failed_and_blocks_it_and_so_do_those_behind() {
    failed(LOAD, 20);
    unfinished(CHECK);
    unfinished(PUBLISH);

    judge.judge(
        List.of(LOAD, CHECK, PUBLISH),
        List.of(
            new Edge(LOAD, CHECK, OnFailure.BLOCK), new Edge(CHECK, PUBLISH, OnFailure.CONTINUE)));

    assertRight();
  }

  @Test
  void a_task_that_is_to_fail_with_another_predecessor_does_not_wait_for_one_that_blocks_it() {
    failed(LOAD, 20);
    failed(CHECK, 20);
    unfinished(PUBLISH);

    judge.judge(
        List.of(LOAD, CHECK, PUBLISH),
        List.of(
            new Edge(LOAD, PUBLISH, OnFailure.BLOCK), new Edge(CHECK, PUBLISH, OnFailure.FAIL)));

    assertThat(judge.missing()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "SUCCEEDED, FAIL, FAILED, 1",
    "SUCCEEDED, FAIL, CANCELLED, 1",
    "FAILED, CONTINUE, FAILED, 1",
    "FAILED, BLOCK, FAILED, 1",
    "FAILED, FAIL, FAILED, 0",
    "FAILED, FAIL, CANCELLED, 1",
    "CANCELLED, FAIL, CANCELLED, 0",
    "CANCELLED, FAIL, FAILED, 1",
  })
  void a_task_that_was_not_performed_ends_without_success_by_a_predecessor_only(
      TaskState first, OnFailure onFailure, TaskState second, int missing) {
    attempt(LOAD, 10, 20);
    judge.stored(LOAD, new Stored(first, 20, 2, Set.of()));
    judge.stored(CHECK, new Stored(second, 30, 0, Set.of()));

    judgeChain(onFailure);

    assertThat(judge.missing()).hasSize(missing);
    assertThat(judge.early()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"false, 1", "true, 0"})
  void a_cancel_ends_a_task_and_with_it_those_that_wait_when_it_says_so(
      boolean withSuccessors, int missing) {
    judge.cancelled(LOAD, withSuccessors);
    judge.stored(LOAD, new Stored(TaskState.CANCELLED, 20, 0, Set.of()));
    judge.stored(CHECK, new Stored(TaskState.CANCELLED, 20, 0, Set.of()));

    judgeChain(OnFailure.CONTINUE);

    assertThat(judge.missing()).hasSize(missing);
  }

  @Test
  void a_begin_before_the_end_of_a_predecessor_is_early_by_the_worker_and_by_the_store() {
    performed(LOAD, 10, 20);
    performed(CHECK, 19, 30);

    judgeChain(OnFailure.FAIL);

    assertThat(judge.early()).hasSize(1);
  }

  @Test
  void a_begin_after_a_failure_with_which_the_task_should_have_failed_is_early() {
    failed(LOAD, 20);
    performed(CHECK, 25, 30);

    judgeChain(OnFailure.FAIL);

    assertThat(judge.early()).hasSize(1);
  }

  @Test
  void one_attempt_that_begins_twice_was_readied_twice() {
    performed(LOAD, 10, 20);
    judge.saw(new GraphEvent(Kind.BEGAN, LOAD, 4, 1, 30));

    judge.judge(List.of(LOAD), List.of());

    assertThat(judge.twice()).hasSize(1);
  }

  @Test
  void a_second_attempt_needs_a_failure_or_a_lapse_of_the_first() {
    judge.saw(new GraphEvent(Kind.BEGAN, LOAD, 2, 1, 10));
    judge.saw(new GraphEvent(Kind.BEGAN, LOAD, 4, 2, 30));
    judge.saw(new GraphEvent(Kind.ENDED, LOAD, 4, 2, 40));
    judge.stored(LOAD, new Stored(TaskState.SUCCEEDED, 40, 4, Set.of(1)));
    judge.saw(new GraphEvent(Kind.BEGAN, CHECK, 2, 1, 10));
    judge.saw(new GraphEvent(Kind.BEGAN, CHECK, 4, 2, 30));
    judge.saw(new GraphEvent(Kind.ENDED, CHECK, 4, 2, 40));
    judge.stored(CHECK, new Stored(TaskState.SUCCEEDED, 40, 4, Set.of()));

    judge.judge(List.of(LOAD, CHECK), List.of());

    assertThat(judge.twice()).singleElement().asString().contains(CHECK.toString());
  }

  private void judgeChain(OnFailure onFailure) {
    judge.judge(List.of(LOAD, CHECK), List.of(new Edge(LOAD, CHECK, onFailure)));
  }

  private void assertRight() {
    assertThat(judge.missing()).isEmpty();
    assertThat(judge.early()).isEmpty();
    assertThat(judge.twice()).isEmpty();
  }

  private void performed(UUID task, long beganMicros, long endedMicros) {
    attempt(task, beganMicros, endedMicros);
    judge.stored(task, new Stored(TaskState.SUCCEEDED, endedMicros, 2, Set.of()));
  }

  private void failed(UUID task, long endedMicros) {
    attempt(task, endedMicros - 10, endedMicros);
    judge.stored(task, new Stored(TaskState.FAILED, endedMicros, 2, Set.of(1)));
  }

  private void attempt(UUID task, long beganMicros, long endedMicros) {
    judge.saw(new GraphEvent(Kind.BEGAN, task, 2, 1, beganMicros));
    judge.saw(new GraphEvent(Kind.ENDED, task, 2, 1, endedMicros));
  }

  private void unfinished(UUID task) {
    judge.stored(task, new Stored(TaskState.AWAITING, 0, 0, Set.of()));
  }
}
