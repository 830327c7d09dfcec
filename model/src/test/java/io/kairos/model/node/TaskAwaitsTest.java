package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.NodeStopping;
import io.kairos.engine.task.edge.TaskEdge.Waiting;
import io.kairos.engine.task.edge.TooManyAwaits;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.model.node.CrankedTasks.CallAnswer;
import io.kairos.model.node.CrankedTasks.Node;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskAwaitsTest {
  private static final Duration A_MOMENT = Duration.ofMillis(10);

  private final CrankedTasks world = new CrankedTasks();
  private final Node node = world.node();

  private ClaimedTask claimed() {
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "resize");
    node.schedule(world.dueIn(Duration.ZERO, "resize"));
    for (int i = 0; i < 20 && !asked.isAnswered(); i++) { // well before the lease ends
      world.pass(Duration.ofMillis(100), node);
    }
    return asked.get().getFirst();
  }

  private static CallAnswer<Optional<TaskView>> await(Node by, TaskId id) {
    CallAnswer<Optional<TaskView>> told = new CallAnswer<>();
    by.tasks.await(id, "ana", told);
    return told;
  }

  @Test
  void a_task_that_ends_on_this_node_is_answered_at_once_with_its_value() {
    ClaimedTask work = claimed();
    CallAnswer<Optional<TaskView>> told = await(node, work.task().id());
    world.pass(A_MOMENT, node);
    assertThat(told.isAnswered()).isFalse();

    node.report(work.task(), new AttemptOutcome.Succeeded("42"));

    TaskView ended = told.get().orElseThrow();
    assertThat(ended.state()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(ended.progress().result()).isEqualTo(TaskResult.text("42"));
  }

  @Test
  void a_task_that_had_ended_is_answered_at_once() {
    ClaimedTask work = claimed();
    node.report(work.task(), new AttemptOutcome.Failed("no"));

    CallAnswer<Optional<TaskView>> told = await(node, work.task().id());
    world.pass(A_MOMENT, node);

    assertThat(told.get().orElseThrow().state()).isEqualTo(TaskState.FAILED);
  }

  @Test
  void a_task_that_another_node_ends_is_answered_within_the_interval_by_one_look_for_all() {
    Node other = world.node();
    ClaimedTask one = claimed();
    ClaimedTask two = claimed();
    CallAnswer<Optional<TaskView>> first = await(other, one.task().id());
    CallAnswer<Optional<TaskView>> second = await(other, two.task().id());
    world.pass(TaskConfig.DEFAULT.pollInterval().multipliedBy(2), node, other);
    node.report(one.task(), new AttemptOutcome.Succeeded());
    node.report(two.task(), new AttemptOutcome.Succeeded());
    int before = world.calls("ended");

    world.pass(TaskConfig.DEFAULT.pollInterval().multipliedBy(2), node, other);

    assertThat(first.get()).isPresent();
    assertThat(second.get()).isPresent();
    assertThat(world.calls("ended") - before).isLessThanOrEqualTo(3);
  }

  @Test
  void a_wait_that_is_ended_is_answered_without_the_task_and_nobody_is_asked_any_more() {
    ClaimedTask work = claimed();
    CallAnswer<Optional<TaskView>> told = new CallAnswer<>();
    Waiting waiting = node.tasks.await(work.task().id(), "ana", told);

    waiting.end();
    waiting.end();

    assertThat(told.get()).isEmpty();
    int before = world.calls("ended");
    world.pass(Duration.ofSeconds(10), node);
    assertThat(world.calls("ended")).isEqualTo(before);
  }

  @Test
  void a_store_that_does_not_answer_is_asked_again() {
    ClaimedTask work = claimed();
    CallAnswer<Optional<TaskView>> told = await(node, work.task().id());
    world.lose("ended", false);
    node.report(work.task(), new AttemptOutcome.Succeeded());

    world.pass(Duration.ofSeconds(5), node);

    assertThat(told.get()).isPresent();
  }

  @Test
  void one_caller_leaves_room_for_others() {
    TaskId id = claimed().task().id();
    for (int i = 0; i < 2_500; i++) {
      node.tasks.await(id, "ana", new CallAnswer<>());
    }

    assertThatThrownBy(() -> node.tasks.await(id, "ana", new CallAnswer<>()))
        .isInstanceOf(TooManyAwaits.class)
        .hasMessageContaining("one caller has at most 2500");
    Waiting bertas = node.tasks.await(id, "berta", new CallAnswer<>());
    bertas.end();
  }

  @Test
  void a_node_that_stops_sends_those_away_who_wait() {
    TaskId id = claimed().task().id();
    CallAnswer<Optional<TaskView>> told = await(node, id);

    node.tasks.sendWorkersAway();

    assertThat(told.failure).isInstanceOf(NodeStopping.class);
    assertThatThrownBy(() -> await(node, id)).isInstanceOf(NodeStopping.class);
  }
}
