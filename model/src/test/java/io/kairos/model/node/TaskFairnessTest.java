package io.kairos.model.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.model.node.CrankedTasks.CallAnswer;
import io.kairos.model.node.CrankedTasks.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Fairness keys from the call to the worker, in memory and behind a backlog in the store. */
final class TaskFairnessTest {
  private static final Duration A_MOMENT = Duration.ofMillis(10);
  private static final Fairness A = new Fairness("a", 1);
  private static final Fairness B = new Fairness("b", 1);

  private final CrankedTasks world = new CrankedTasks();

  private void schedule(Node node, @Nullable Fairness fairness, int tasks) {
    TaskSpec plain = world.dueIn(Duration.ZERO, "mail");
    TaskSpec[] specs = new TaskSpec[tasks];
    Arrays.fill(
        specs,
        new TaskSpec(
            plain.queue(), plain.dueMicros(), plain.details().withFairness(fairness), null));
    node.schedule(specs);
    world.pass(A_MOMENT, node);
  }

  /** The keys of the next tasks, one after the other. */
  private List<String> perform(Node node, int tasks) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
      world.pass(A_MOMENT, node);
      ClaimedTask work = asked.get().getFirst();
      Fairness fairness = work.details().fairness();
      keys.add(fairness == null ? "" : fairness.key());
      node.report(work.task(), new AttemptOutcome.Succeeded());
    }
    return keys;
  }

  private Node narrow(int maxQueued) {
    return narrow(maxQueued, TaskConfig.DEFAULT.maxBatch());
  }

  private Node narrow(int maxQueued, int maxBatch) {
    TaskConfig shipped = TaskConfig.DEFAULT;
    return world
    .new Node(
        new TaskConfig(
            shipped.pollInterval(),
            shipped.horizon(),
            maxQueued,
            shipped.maxQueuedBytes(),
            shipped.enqueueTimeout(),
            shipped.lease(),
            shipped.heartbeatInterval(),
            shipped.heartbeatTimeout(),
            shipped.allowedDrift(),
            shipped.maxPending(),
            shipped.maxPendingBytes(),
            maxBatch,
            shipped.retention()));
  }

  @Test
  void tasks_with_a_key_are_asked_for_in_due_order_while_the_store_cannot_be_read_by_keys() {
    world.answer("isReadFairly", false);
    Node node = narrow(2);
    schedule(node, A, 5);
    schedule(node, B, 5);

    perform(node, 10);

    assertThat(world.calls("enqueue")).isPositive();
    assertThat(world.calls("enqueueFairly")).isZero();
  }

  @Test
  void the_first_task_of_a_key_waits_for_one_turn_of_a_backlog() {
    Node node = narrow(100);
    schedule(node, A, 500);
    perform(node, 20);

    schedule(node, B, 1);

    assertThat(perform(node, 2)).contains("b");
  }

  @Test
  void a_task_behind_a_backlog_in_the_store_is_found_by_a_node_that_knew_nothing_of_it() {
    Node other = world.node();
    schedule(other, A, 900);
    schedule(other, B, 1);
    schedule(other, null, 1);
    Node node = narrow(50);

    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
    world.pass(Duration.ofSeconds(2), node, other);

    node.report(asked.get().getFirst().task(), new AttemptOutcome.Succeeded());
    assertThat(perform(node, 4)).contains("b", "");
  }

  @Test
  void keys_with_unequal_backlogs_share_equally_while_both_have_work() {
    Node node = narrow(40);
    schedule(node, A, 600);
    schedule(node, B, 100);

    List<String> keys = perform(node, 190);

    assertThat(Collections.frequency(keys, "b")).isBetween(90, 100);
  }

  @Test
  void weights_count() {
    Node node = narrow(40);
    schedule(node, A, 300);
    schedule(node, new Fairness("heavy", 3), 300);
    perform(node, 40);

    assertThat(Collections.frequency(perform(node, 200), "heavy")).isBetween(145, 155);
  }

  @Test
  void keys_that_have_nothing_due_are_looked_at_once_in_each_poll_interval() {
    Node other = world.node();
    for (int key = 0; key < 50; key++) {
      TaskSpec plain = world.dueIn(Duration.ofHours(1), "mail");
      other.schedule(
          new TaskSpec(
              plain.queue(),
              plain.dueMicros(),
              plain.details().withFairness(new Fairness("key " + key, 1)),
              null));
    }
    world.pass(A_MOMENT, other);
    Node node = narrow(100, 10);
    node.ask(1, "mail");
    world.pass(TaskConfig.DEFAULT.pollInterval(), node, other);
    int before = world.calls("enqueueFairly");

    world.pass(TaskConfig.DEFAULT.pollInterval().multipliedBy(10), node, other);

    assertThat(world.calls("enqueueFairly") - before).isBetween(10, 11 * 7);
  }

  @Test
  void all_tasks_of_all_keys_are_performed_in_the_end() {
    Node node = narrow(10);
    schedule(node, A, 60);
    schedule(node, B, 5);
    schedule(node, null, 30);
    schedule(node, new Fairness("c", 1_000), 40);

    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 200 && keys.size() < 135; i++) {
      CallAnswer<List<ClaimedTask>> asked = node.ask(5, "mail");
      world.pass(Duration.ofMillis(300), node);
      List<ClaimedTask> work = asked.isAnswered() ? requireNonNull(asked.value) : List.of();
      work.forEach(one -> {
        Fairness fairness = one.details().fairness();
        keys.add(fairness == null ? "" : fairness.key());
        node.report(one.task(), new AttemptOutcome.Succeeded());
      });
    }

    assertThat(keys).hasSize(135);
    assertThat(world.store.list(world.all(TaskState.SUCCEEDED)).tasks()).hasSize(135);
  }
}
