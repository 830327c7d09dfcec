package io.kairos.domain.schedule.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunTurnsTest {
  private static final TaskId LEFT = run(0);

  private static TaskId run(int minute) {
    return ExecutionIds.of(
        Schedules.ID, Schedules.CREATED.plusSeconds(60L * minute), "", ExecutionIds.MOST_TASKS);
  }

  private static GraphEdge edge(TaskId predecessor, TaskId successor) {
    return new GraphEdge(predecessor, successor, OnFailure.CONTINUE);
  }

  @Test
  void runs_of_one_task_wait_for_what_is_left_of_a_graph_and_not_for_each_other() {
    List<TaskId> runs = IntStream.rangeClosed(1, 1_000).mapToObj(RunTurnsTest::run).toList();

    assertThat(RunTurns.edges(runs, List.of(), List.of(LEFT)))
        .containsExactlyElementsOf(runs.stream().map(run -> edge(LEFT, run)).toList());
  }

  @Test
  void runs_of_several_tasks_wait_for_all_earlier_ones() {
    TaskId first = run(1);
    TaskId second = run(2);
    TaskId step = ExecutionIds.task(first, 1);
    TaskId last = ExecutionIds.task(second, 1);
    List<GraphEdge> steps =
        List.of(
            new GraphEdge(first, step, OnFailure.FAIL),
            new GraphEdge(second, last, OnFailure.FAIL));

    assertThat(RunTurns.edges(List.of(first, step, second, last), steps, List.of(LEFT)))
        .containsExactlyInAnyOrder(
            edge(LEFT, first), edge(LEFT, second), edge(first, second), edge(step, second));
  }
}
