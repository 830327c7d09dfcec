package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.graph.TaskGraph.Predecessor;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.port.FollowedEnds;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.Predecessors;
import io.kairos.model.node.CrankedTasks.CallAnswer;
import io.kairos.model.node.CrankedTasks.Node;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tasks that wait for tasks, on whole nodes. */
final class TaskGraphsTest {
  private static final Duration A_MOMENT = Duration.ofMillis(400);

  private final CrankedTasks world = new CrankedTasks();

  private TaskSpec step(TaskSpec.After... after) {
    return world.dueIn(Duration.ZERO, "step").after(List.of(after));
  }

  private static TaskSpec.After member(int index) {
    return new TaskSpec.After(new Predecessor.Member(index), OnFailure.FAIL);
  }

  private static TaskSpec.After stored(TaskId id, OnFailure onFailure) {
    return new TaskSpec.After(new Predecessor.Stored(id), onFailure);
  }

  @Test
  void a_chain_runs_step_by_step_and_no_step_waits_for_a_poll() {
    Node node = world.node();
    List<TaskId> chain = accepted(node, step(), step(member(0)), step(member(1)), step(member(2)));

    for (TaskId expected : chain) {
      ClaimedTask work = next(node);
      assertThat(work.task().id()).isEqualTo(expected);
      end(node, work, new AttemptOutcome.Succeeded());
    }
    assertThat(chain).isSorted();
  }

  private List<TaskId> accepted(Node node, TaskSpec... specs) {
    CallAnswer<List<TaskId>> scheduled = node.schedule(specs);
    world.pass(A_MOMENT, node);
    return scheduled.get();
  }

  private ClaimedTask next(Node node) {
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "step");
    world.pass(A_MOMENT, node);
    return asked.get().getFirst();
  }

  private static void end(Node node, ClaimedTask work, AttemptOutcome outcome) {
    assertThat(node.report(work.task(), outcome)).isEqualTo(new ReportResult.Accepted());
  }

  @Test
  void ids_rise_along_the_edges_wherever_the_tasks_stand_in_the_call() {
    Node node = world.node();

    List<TaskId> ids = accepted(node, step(member(1)), step(member(2)), step());

    assertThat(ids.reversed()).isSorted();
    assertThat(world.state(ids.getLast())).isNotEqualTo(TaskState.AWAITING);
    assertThat(world.state(ids.getFirst())).isEqualTo(TaskState.AWAITING);
  }

  @Test
  void a_failure_goes_from_task_to_task() {
    Node node = world.node();
    List<TaskId> chain = accepted(node, step(), step(member(0)), step(member(1)));
    TaskId last = accepted(node, step(stored(chain.getLast(), OnFailure.CONTINUE))).getFirst();

    end(node, next(node), new AttemptOutcome.Failed("no use"));
    world.pass(Duration.ofSeconds(3), node);

    assertThat(chain).extracting(world::state).containsOnly(TaskState.FAILED);
    assertThat(next(node).task().id()).isEqualTo(last);
  }

  @Test
  void a_round_begins_behind_ends_that_could_not_be_followed() {
    Node node = world.node();
    TaskId last = TaskId.at(1, 0, 7);
    world.answer("followEnds", new FollowedEnds(last, 0, new StoreUnavailable("locked")));

    world.pass(Duration.ofSeconds(3), node);

    assertThat(world.asked).startsWith(Optional.empty(), Optional.of(last), Optional.empty());
  }

  @Test
  void an_end_that_cannot_be_followed_does_not_slow_the_others() {
    Node node = world.node();
    world.answer("followEnds", new FollowedEnds(null, 3, new StoreUnavailable("locked")));

    world.pass(Duration.ofMillis(20), node);

    assertThat(world.asked).as("at once, as if none had failed").hasSizeGreaterThan(1);
  }

  @Test
  void ends_are_followed_while_batches_cannot_be_counted() {
    Node node = world.node();
    world.loseAll("countBatches");
    List<TaskId> pair = accepted(node, step(), step(member(0)));

    end(node, next(node), new AttemptOutcome.Failed("no use"));
    world.pass(Duration.ofSeconds(3), node);

    assertThat(pair).extracting(world::state).containsOnly(TaskState.FAILED);
  }

  @Test
  void an_unknown_predecessor_is_refused() {
    Node node = world.node();
    TaskId unknown = TaskId.at(1, 0, 1);
    CallAnswer<InsertResult> told =
        node.submit(step(), step(member(0), stored(unknown, OnFailure.FAIL)));
    world.pass(A_MOMENT, node);

    assertThat(told.get()).isEqualTo(new InsertResult.UnknownPredecessor(1, unknown));
  }

  @Test
  void tasks_are_handed_over_also_when_the_store_does_not_tell_what_they_have_waited_for() {
    Node node = world.node();
    List<TaskId> pair = accepted(node, step(), step(member(0)));
    end(node, next(node), new AttemptOutcome.Succeeded());
    TaskId alone = accepted(node, world.dueIn(Duration.ZERO, "alone")).getFirst();
    world.loseAll("predecessors");

    CallAnswer<List<ClaimedTask>> behind = node.ask(1, "step");
    CallAnswer<List<ClaimedTask>> other = node.ask(1, "alone");
    world.pass(A_MOMENT, node);

    assertThat(other.get()).extracting(work -> work.task().id()).containsExactly(alone);
    assertThat(behind.get())
        .singleElement()
        .satisfies(work -> {
          assertThat(work.task().id()).isEqualTo(pair.getLast());
          assertThat(work.predecessors()).isEqualTo(Predecessors.LEFT_OUT);
        });
  }

  @Test
  void edges_of_what_was_pruned_are_swept() {
    Node node = world.node();
    List<TaskId> pair = accepted(node, step(), step(member(0)));
    end(node, next(node), new AttemptOutcome.Succeeded());
    end(node, next(node), new AttemptOutcome.Succeeded());

    world.store.prune(TaskState.SUCCEEDED, Duration.ZERO, 10);
    world.pass(Duration.ofSeconds(1), node);
    world.store.prune(TaskState.SUCCEEDED, Duration.ZERO, 10);
    world.pass(Duration.ofSeconds(11), node);

    assertThat(world.store.graph(pair.getFirst(), 10, 10).edges()).isEmpty();
  }
}
