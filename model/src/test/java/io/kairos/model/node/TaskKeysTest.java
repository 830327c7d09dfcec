package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.OrderingKeyPolicy.Parallel;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.model.node.CrankedTasks.CallAnswer;
import io.kairos.model.node.CrankedTasks.Node;
import io.kairos.model.task.ModelDueNotifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ordering keys and start deadlines on production steps, model store and a hand-cranked clock. */
final class TaskKeysTest {
  private static final Duration A_MOMENT = Duration.ofMillis(10);
  private static final Duration A_SECOND = Duration.ofSeconds(1);
  private static final Duration LEASE = TaskConfig.DEFAULT.lease();

  private final CrankedTasks world = new CrankedTasks();
  private final Node node = world.node();

  private ClaimedTask next(Node from, Duration within) {
    CallAnswer<List<ClaimedTask>> asked = from.ask(1, "mail");
    world.pass(within, node);
    return asked.get().getFirst();
  }

  @Test
  void pd18_pd19_the_tasks_of_a_key_are_handed_out_one_after_the_other_in_due_order() {
    for (int i = 5; i > 0; i--) {
      node.schedule(world.keyed(Duration.ofMillis(-100L * i), "mail", "anna"));
    }
    world.pass(A_MOMENT);
    List<Long> dues = new ArrayList<>();

    ClaimedTask work = next(node, Duration.ofSeconds(2));
    for (int i = 1; i < 5; i++) {
      CallAnswer<List<ClaimedTask>> other = node.ask(1, "mail");
      world.pass(A_MOMENT, node);
      assertThat(other.isAnswered()).isFalse();
      dues.add(work.dueMicros());
      node.report(work.task(), new AttemptOutcome.Succeeded());
      world.pass(A_MOMENT, node);
      work = other.get().getFirst();
    }
    dues.add(work.dueMicros());

    assertThat(dues).hasSize(5).isSorted();
  }

  private static TaskConfig with(Duration pollInterval, int maxQueued) {
    TaskConfig shipped = TaskConfig.DEFAULT;
    return new TaskConfig(
        pollInterval,
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
        shipped.maxBatch(),
        shipped.retention());
  }

  @Test
  void pd18_a_chain_does_not_wait_for_a_poll_nor_for_room_among_what_is_not_yet_due() {
    Node busy = world.new Node(with(Duration.ofSeconds(30), 2));
    CallAnswer<List<ClaimedTask>> asked = busy.ask(1, "mail");
    world.pass(A_MOMENT, busy);
    for (int i = 0; i < 4; i++) {
      busy.schedule(world.keyed(Duration.ZERO, "mail", "anna"));
      world.pass(A_MOMENT, busy);
    }
    for (int i = 0; i < 3; i++) {
      busy.schedule(world.dueIn(Duration.ofSeconds(8), "mail"));
    }
    world.pass(A_MOMENT, busy);
    assertThat(busy.tasks.enqueued()).as("it is full").isEqualTo(2);

    for (int i = 0; i < 3; i++) {
      ClaimedTask work = asked.get().getFirst();
      asked = busy.ask(1, "mail");
      busy.report(work.task(), new AttemptOutcome.Succeeded());
      world.pass(A_MOMENT, busy);
      assertThat(asked.get()).as("link %s", i).hasSize(1);
    }
  }

  @Test
  void pd18_another_node_whose_worker_asks_for_it_is_told_of_the_next_in_a_key() {
    world.notifier = new ModelDueNotifier();
    Node one = world.new Node(with(Duration.ofSeconds(30), 100));
    Node other = world.node();
    CallAnswer<List<ClaimedTask>> asked = one.ask(1, "mail");
    world.pass(A_MOMENT, one, other);
    one.schedule(
        world.keyed(Duration.ZERO, "mail", "anna"), world.keyed(Duration.ZERO, "mail", "anna"));
    world.pass(A_MOMENT, one, other);
    ClaimedTask work = asked.get().getFirst();
    world.pass(A_SECOND, one, other);
    asked = one.ask(1, "mail");

    other.report(work.task(), new AttemptOutcome.Succeeded());
    world.pass(Duration.ofMillis(100), one, other);

    assertThat(asked.get()).hasSize(1);
  }

  @Test
  void pd18_the_next_of_a_key_does_not_wait_for_long_when_the_answer_of_an_end_is_lost() {
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
    world.pass(A_MOMENT, node);
    node.schedule(
        world.keyed(Duration.ZERO, "mail", "anna"), world.keyed(Duration.ZERO, "mail", "anna"));
    world.pass(A_MOMENT, node);
    ClaimedTask work = asked.get().getFirst();
    asked = node.ask(1, "mail");
    world.lose("settle", true);

    node.tasks.report(
        List.of(new AttemptReport(work.task(), new AttemptOutcome.Succeeded())),
        new CallAnswer<>());
    world.pass(Duration.ofSeconds(5), node);

    assertThat(asked.get()).hasSize(1);
  }

  @Test
  void pd20_other_keys_do_not_wait() {
    CallAnswer<List<ClaimedTask>> asked = node.ask(10, "mail");
    world.pass(A_MOMENT, node);
    node.schedule(
        world.keyed(Duration.ZERO, "mail", "anna"),
        world.keyed(Duration.ZERO, "mail", "anna"),
        world.keyed(Duration.ZERO, "mail", "bert"));

    world.pass(A_SECOND, node);

    assertThat(asked.get()).hasSize(2);
  }

  @Test
  void pd18_two_nodes_never_hand_out_two_of_a_key() {
    Node other = world.node();
    Set<TaskId> performed = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      (i % 2 == 0 ? node : other).schedule(world.keyed(Duration.ZERO, "mail", "anna"));
      world.pass(A_MOMENT, node, other);
    }

    for (int i = 0; i < 4; i++) {
      CallAnswer<List<ClaimedTask>> here = new CallAnswer<>();
      CallAnswer<List<ClaimedTask>> there = new CallAnswer<>();
      TaskEdge.Waiting waitsHere = node.waiting(here, 10, "mail");
      TaskEdge.Waiting waitsThere = other.waiting(there, 10, "mail");
      world.pass(Duration.ofSeconds(3), node, other);
      waitsHere.end();
      waitsThere.end();

      List<ClaimedTask> work = new ArrayList<>(here.get());
      work.addAll(there.get());
      assertThat(work).hasSize(1);
      performed.add(work.getFirst().task().id());
      node.report(work.getFirst().task(), new AttemptOutcome.Succeeded());
    }

    assertThat(performed).hasSize(4);
  }

  @Test // PD-10
  void pd31_a_failing_head_holds_its_key_until_its_attempts_are_used_up() {
    world.store.setRetryPolicy(new HandlerName("mail"), CrankedTasks.TWICE);
    node.schedule(
        world.keyed(Duration.ofMillis(-20), "mail", "anna"),
        world.keyed(Duration.ofMillis(-10), "mail", "anna"));
    ClaimedTask first = next(node, Duration.ofSeconds(2));

    node.report(first.task(), new AttemptOutcome.RetryLater("busy"));
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
    world.pass(Duration.ofSeconds(6), node);
    assertThat(asked.isAnswered()).isFalse();
    world.pass(Duration.ofSeconds(6), node);
    ClaimedTask second = asked.get().getFirst();
    assertThat(second.task().id()).isEqualTo(first.task().id());
    node.report(second.task(), new AttemptOutcome.RetryLater("busy"));

    assertThat(world.state(first.task().id())).isEqualTo(TaskState.DEAD);
    assertThat(next(node, A_SECOND).task().id()).isNotEqualTo(first.task().id());
  }

  @Test
  void da22_the_head_of_a_vanished_worker_is_performed_again_before_the_next() {
    node.schedule(
        world.keyed(Duration.ofMillis(-20), "mail", "anna"),
        world.keyed(Duration.ofMillis(-10), "mail", "anna"));
    ClaimedTask first = next(node, Duration.ofSeconds(2));

    world.pass(LEASE.plusSeconds(1), node);
    ClaimedTask again = next(node, Duration.ofSeconds(2));

    assertThat(again.task().id()).isEqualTo(first.task().id());
    assertThat(again.attempt()).isEqualTo(2);
  }

  @Test
  void a_key_may_run_several_at_a_time_by_policy() {
    world.store.setKeyPolicy(new HandlerName("mail"), new OrderingKeyPolicy(new Parallel(2), null));
    CallAnswer<List<ClaimedTask>> asked = node.ask(10, "mail");
    world.pass(A_MOMENT, node);
    node.schedule(
        world.keyed(Duration.ZERO, "mail", "anna"),
        world.keyed(Duration.ZERO, "mail", "anna"),
        world.keyed(Duration.ZERO, "mail", "anna"));
    world.pass(A_SECOND, node);
    assertThat(asked.get()).hasSize(2);
    CallAnswer<List<ClaimedTask>> more = node.ask(10, "mail");

    node.report(asked.get().getFirst().task(), new AttemptOutcome.Succeeded());
    world.pass(A_MOMENT, node);

    assertThat(more.get()).hasSize(1);
  }

  @Test
  void what_nobody_has_begun_by_its_start_deadline_fails() {
    CallAnswer<List<TaskId>> late = node.schedule(world.within(Duration.ofSeconds(5), "mail"));
    world.pass(Duration.ofSeconds(4), node);
    assertThat(world.state(late.get().getFirst())).isEqualTo(TaskState.NEW);

    world.pass(Duration.ofSeconds(2), node);

    assertThat(world.state(late.get().getFirst())).isEqualTo(TaskState.FAILED);
  }
}
