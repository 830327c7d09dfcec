package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.model.node.CrankedTasks.CallAnswer;
import io.kairos.model.node.CrankedTasks.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Many tasks at one instant, nodes that join, and tasks that came due while there was no node. */
final class TaskSpikeTest {
  private static final String HANDLER = "mail";
  private static final Duration A_MOMENT = Duration.ofMillis(10);

  private final CrankedTasks world = new CrankedTasks();
  private final List<CallAnswer<List<TaskId>>> scheduled = new ArrayList<>();
  private final List<TaskId> begun = new ArrayList<>();
  private final Map<Node, Integer> performed = new HashMap<>();

  @Test // PD-3, TW-L5
  void eight_thousand_tasks_of_one_instant_begin_once_each_within_five_seconds() {
    Node one = world.node();
    Node other = world.node();
    schedule(one, 8_000, Duration.ofMinutes(1));
    world.pass(Duration.ofSeconds(59), one, other);
    assertThat(begun).isEmpty();

    for (int i = 0; i < 60; i++) {
      work(500, one, other);
    }

    assertThat(begun).hasSize(8_000).doesNotHaveDuplicates();
    assertThat(world.store.list(world.all(TaskState.SUCCEEDED)).tasks()).hasSize(8_000);
  }

  @Test // PD-5
  void a_node_that_joins_takes_its_share_untold_and_nothing_is_moved_for_it() {
    Node one = world.node();
    for (int wave = 0; wave < 40; wave++) {
      schedule(one, 10, Duration.ofMillis(15_000 + wave * 1_777));
    }
    world.pass(Duration.ofSeconds(20), one);
    work(100, one);
    assertThat(begun).isNotEmpty();

    Node joined = world.node();
    for (int i = 0; i < 100; i++) {
      world.pass(Duration.ofMillis(700), one, joined);
      work(100, one, joined);
    }

    assertThat(begun).hasSize(400).doesNotHaveDuplicates();
    assertThat(performed.get(joined)).isGreaterThan(50);
    assertThat(performed.get(one)).isGreaterThan(50);
    assertThat(world.lapsed).isZero();
  }

  @Test // PD-L1, PD-L15, TW-L2
  void what_came_due_while_there_was_no_node_for_days_begins_in_due_order() {
    Node gone = world.node();
    schedule(gone, 1, Duration.ofDays(1));
    schedule(gone, 1, Duration.ofHours(1));
    gone.die();
    world.pass(A_MOMENT);
    world.crank.pass(Duration.ofDays(2));

    Node back = world.node();
    for (int i = 0; i < 30; i++) {
      work(1, back);
    }

    assertThat(begun)
        .containsExactly(scheduled.get(1).get().getFirst(), scheduled.get(0).get().getFirst());
  }

  private void schedule(Node node, int tasks, Duration wait) {
    for (int left = tasks; left > 0; left -= 500) {
      List<TaskSpec> batch = Collections.nCopies(Math.min(left, 500), world.dueIn(wait, HANDLER));
      scheduled.add(node.schedule(batch.toArray(TaskSpec[]::new)));
      world.pass(A_MOMENT, node);
    }
  }

  /** Each node's worker asks for so many tasks, and performs within 100 ms what it gets. */
  private void work(int most, Node... nodes) {
    List<CallAnswer<List<ClaimedTask>>> asked = new ArrayList<>();
    for (Node node : nodes) {
      asked.add(node.ask(most, HANDLER));
    }
    world.pass(Duration.ofMillis(80), nodes);
    Set<TaskId> now = new HashSet<>();
    for (int i = 0; i < nodes.length; i++) {
      if (asked.get(i).isAnswered()) {
        List<AttemptReport> done = new ArrayList<>();
        for (ClaimedTask work : asked.get(i).get()) {
          assertThat(now.add(work.task().id())).isTrue();
          begun.add(work.task().id());
          done.add(new AttemptReport(work.task(), new AttemptOutcome.Succeeded()));
        }
        performed.merge(nodes[i], done.size(), Integer::sum);
        nodes[i].tasks.report(done, new CallAnswer<>());
        world.pass(A_MOMENT, nodes);
      }
      nodes[i].leave();
    }
  }
}
