package io.kairos.model.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.HeartbeatResult;
import io.kairos.engine.task.edge.NodeStopping;
import io.kairos.engine.task.edge.NotEnrolled;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NoMoreQueues;
import io.kairos.engine.task.port.ReportedBy;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.model.node.CrankedTasks.CallAnswer;
import io.kairos.model.node.CrankedTasks.Node;
import io.kairos.model.task.ModelDueNotifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of tasks on production steps, model store and a clock that the test turns. */
final class TaskNodeTest {
  private static final Duration A_MOMENT = Duration.ofMillis(10);
  private static final Duration LEASE = TaskConfig.DEFAULT.lease();

  private final CrankedTasks world = new CrankedTasks();

  @Test // DA-13, PD-2
  void da16_a_due_task_is_claimed_for_a_worker_that_waits() {
    Node node = world.node();
    CallAnswer<List<ClaimedTask>> asked = node.ask(10, "resize");
    world.pass(A_MOMENT);

    CallAnswer<List<TaskId>> scheduled = node.schedule(world.dueIn(Duration.ZERO, "resize"));
    world.pass(A_MOMENT);

    ClaimedTask work = asked.get().getFirst();
    assertThat(work.attempt()).isEqualTo(1);
    assertThat(work.details().payload()).containsExactly(1, 2, 3);
    assertThat(scheduled.get()).containsExactly(work.task().id());
    assertThat(world.state(work.task().id())).isEqualTo(TaskState.PROCESSING);
    assertThat(node.report(work.task(), new AttemptOutcome.Succeeded()))
        .isEqualTo(new ReportResult.Accepted());
    assertThat(world.state(work.task().id())).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test // PD-43
  void calls_that_schedule_writes_to_the_store_and_executions_are_timed() {
    Node node = world.node();
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "resize");
    world.takes("insert", Duration.ofSeconds(1));
    node.schedule(world.dueIn(Duration.ZERO, "resize"));
    world.pass(Duration.ofSeconds(2), node);
    ClaimedTask work = asked.get().getFirst();
    world.pass(Duration.ofSeconds(3), node);
    node.report(work.task(), new AttemptOutcome.Succeeded());
    world.lose("insert", false);
    node.schedule(world.dueIn(Duration.ZERO, "resize"));
    world.pass(A_MOMENT, node);

    assertThat(world.timed)
        .extracting(one -> one.replaceAll("\\..*S", "S"))
        .containsExactly(
            "persisted PT1S", "stored PT1S", "resize PT4S", "persisted PT1S", "refused PT1S");
  }

  @Test
  void an_attempt_that_failed_is_told_from_others_whether_or_not_another_one_follows() {
    Node node = world.node();
    for (AttemptOutcome outcome :
        List.of(
            new AttemptOutcome.RetryLater("disk full"),
            new AttemptOutcome.Failed("no such file"),
            new AttemptOutcome.Cancelled())) {
      CallAnswer<List<ClaimedTask>> asked = node.ask(1, "resize");
      node.schedule(world.dueIn(Duration.ZERO, "resize"));
      world.pass(A_MOMENT, node);
      node.report(asked.get().getFirst().task(), outcome);
    }

    assertThat(world.timed)
        .filteredOn(one -> one.startsWith("resize"))
        .extracting(one -> one.replaceAll("PT.*", ""))
        .containsExactly("resize failed ", "resize failed ", "resize ");
  }

  @Test
  void a_task_that_a_worker_of_this_node_asks_for_is_stored_as_enqueued() {
    Node node = world.node();
    node.ask(1, "resize");
    world.pass(A_MOMENT);
    TaskSpec soon = world.dueIn(Duration.ofSeconds(5), "resize");
    node.schedule(soon); // makes the queue known
    world.pass(A_MOMENT);

    CallAnswer<List<TaskId>> wanted = node.schedule(soon);
    CallAnswer<List<TaskId>> unwanted = node.schedule(world.dueIn(Duration.ofSeconds(5), "mail"));
    world.pass(A_MOMENT);

    assertThat(world.state(wanted.get().getFirst())).isEqualTo(TaskState.ENQUEUED);
    assertThat(world.state(unwanted.get().getFirst())).isEqualTo(TaskState.NEW);
  }

  @Test
  void what_ended_long_ago_is_forgotten_although_a_handler_cannot_be_counted() {
    Node node = world.new Node(remembering(Duration.ofMinutes(2)));
    CallAnswer<List<TaskId>> scheduled = node.schedule(world.dueIn(Duration.ofHours(1), "mail"));
    world.pass(A_MOMENT, node);
    TaskId cancelled = scheduled.get().getFirst();
    world.store.cancel(cancelled);
    world.loseAll("recountQuotas");

    world.pass(Duration.ofMinutes(3), node);

    assertThat(world.store.find(cancelled)).isEmpty();
  }

  @Test
  void what_is_to_be_forgotten_goes_in_batches_with_rests_as_long_as_each_took() {
    TaskConfig shipped = TaskConfig.DEFAULT;
    Duration ends = Duration.ofSeconds(10);
    Node node =
        world
        .new Node(
            with(shipped.pollInterval(), shipped.maxQueued(), 10, remembering(ends).retention()));
    List<CallAnswer<List<TaskId>>> scheduled = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      scheduled.add(node.schedule(world.dueIn(Duration.ofHours(1), "mail")));
    }
    world.pass(Duration.ofSeconds(1), node);
    scheduled.forEach(told -> world.store.cancel(told.get().getFirst()));
    world.takes("prune", Duration.ofMillis(5)); // one for each end: 20 ms of work for 10 tasks

    // It looks every ten seconds; the third look is the first that finds something.
    world.pass(Duration.ofMillis(19_900), node);
    assertThat(world.store.list(world.all(TaskState.CANCELLED)).tasks()).hasSizeBetween(100, 300);
    world.pass(Duration.ofMillis(900), node);

    assertThat(world.store.list(world.all(TaskState.CANCELLED)).tasks()).isEmpty();
  }

  @Test
  void keys_that_have_tasks_are_looked_through_at_leisure() {
    TaskConfig shipped = TaskConfig.DEFAULT;
    Node node =
        world.new Node(with(shipped.pollInterval(), shipped.maxQueued(), 1, shipped.retention()));
    List<CallAnswer<List<TaskId>>> scheduled = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      scheduled.add(node.schedule(world.keyed(Duration.ofHours(1), "mail", "key " + i)));
    }
    world.pass(Duration.ofMillis(9_900), node);
    int before = world.calls("sweepKeys");

    world.pass(Duration.ofSeconds(4), node);
    int withTasks = world.calls("sweepKeys") - before;
    scheduled.forEach(told -> world.store.cancel(told.get().getFirst()));
    world.pass(Duration.ofSeconds(4), node);
    int without = world.calls("sweepKeys") - before - withTasks;

    assertThat(withTasks).isBetween(18, 22);
    assertThat(without).isGreaterThan(60);
  }

  @Test
  void a_queue_that_another_transaction_is_making_concerns_no_other() {
    Node node = world.node();
    TaskSpec one = world.dueIn(Duration.ZERO, "resize");
    TaskSpec other = world.dueIn(Duration.ZERO, "mail");
    world.beingMade = one.queue();

    CallAnswer<InsertResult> busy = node.submit(one);
    CallAnswer<InsertResult> stored = node.submit(other);
    CallAnswer<InsertResult> both = node.submit(other, one);
    world.pass(A_MOMENT);

    assertThat(busy.get()).isEqualTo(new InsertResult.Busy());
    assertThat(stored.get()).isInstanceOf(InsertResult.Stored.class);
    assertThat(both.get()).isEqualTo(new InsertResult.Busy());
    ListQuery all = ListQuery.ofHandler(null, EnumSet.allOf(TaskState.class), null, 10);
    assertThat(world.store.list(all).tasks()).hasSize(1);
  }

  @Test
  void tasks_of_a_new_queue_are_refused_when_there_are_as_many_as_there_may_be() {
    TaskSpec known = world.dueIn(Duration.ZERO, "resize");
    world.store.queues(Set.of(known.queue()));
    world.store.queues(
        IntStream.range(1, TaskStore.MOST_QUEUES)
            .mapToObj(i -> new QueueName(new HandlerName("made-up-" + i), QueueName.DEFAULT))
            .toList());
    Node node = world.node();
    world.pass(Duration.ofSeconds(2), node);

    CallAnswer<InsertResult> refused = node.submit(known, world.dueIn(Duration.ZERO, "mail"));
    CallAnswer<InsertResult> stored = node.submit(known);
    world.pass(A_MOMENT);

    assertThat(refused.get()).isEqualTo(new InsertResult.TooManyQueues());
    assertThat(stored.get()).isInstanceOf(InsertResult.Stored.class);
    QueueName another = world.dueIn(Duration.ZERO, "mail").queue();
    assertThatThrownBy(() -> node.tasks.queues().changeLimit(another, limit -> limit))
        .isInstanceOf(NoMoreQueues.class);
    assertThat(world.store.queues()).hasSize(TaskStore.MOST_QUEUES);
  }

  @Test
  void who_has_made_as_many_queues_as_it_may_does_not_keep_others_from_making_theirs() {
    QueueMaker greedy = QueueMaker.caller("greedy");
    world.store.queues(
        IntStream.range(0, QueueMaker.MOST_QUEUES)
            .mapToObj(i -> new QueueName(new HandlerName("made-up-" + i), QueueName.DEFAULT))
            .toList(),
        greedy);
    Node node = world.node();
    TaskSpec one = world.dueIn(Duration.ZERO, "mail");

    CallAnswer<InsertResult> refused = node.submit(by(one, greedy));
    world.pass(A_MOMENT);
    CallAnswer<InsertResult> stored = node.submit(by(one, QueueMaker.caller("modest")));
    world.pass(A_MOMENT);
    CallAnswer<InsertResult> known = node.submit(by(one, greedy));
    world.pass(A_MOMENT);

    assertThat(refused.get()).isEqualTo(new InsertResult.TooManyQueues());
    assertThat(stored.get()).isInstanceOf(InsertResult.Stored.class);
    assertThat(known.get()).isInstanceOf(InsertResult.Stored.class);
    QueueName another = world.dueIn(Duration.ZERO, "another").queue();
    assertThatThrownBy(() -> node.tasks.queues().make(another, greedy))
        .isInstanceOf(NoMoreQueues.class);
  }

  @Test
  void a_task_whose_queue_was_retired_since_the_last_look_is_stored_like_those_of_its_batch() {
    Node node = nodeWhoseQueuesWereRetired();

    CallAnswer<InsertResult> former = node.submit(world.dueIn(Duration.ZERO, "once-7"));
    CallAnswer<InsertResult> other = node.submit(world.dueIn(Duration.ZERO, "mail"));
    world.pass(A_MOMENT);

    assertThat(former.get()).isInstanceOf(InsertResult.Stored.class);
    assertThat(other.get()).isInstanceOf(InsertResult.Stored.class);
  }

  @Test
  void a_node_that_dies_between_the_two_tries_of_a_batch_says_what_is_stored_and_what_is_not() {
    Node node = nodeWhoseQueuesWereRetired();
    world.during("insert", node::die);

    CallAnswer<InsertResult> former = node.submit(world.dueIn(Duration.ZERO, "once-7"));
    CallAnswer<InsertResult> other = node.submit(world.dueIn(Duration.ZERO, "mail"));
    world.pass(A_MOMENT);

    assertThat(former.get()).isInstanceOf(InsertResult.QueueRetired.class);
    assertThat(other.get()).isInstanceOf(InsertResult.Stored.class);
  }

  /** It has read the numbers of the queues before they were retired. */
  private Node nodeWhoseQueuesWereRetired() {
    world.store.queues(
        IntStream.range(0, TaskStore.FEW_QUEUES)
            .mapToObj(i -> new QueueName(new HandlerName("once-" + i), QueueName.DEFAULT))
            .toList());
    Node node = world.node();
    world.pass(A_MOMENT);
    world.store.retireQueues();
    return node;
  }

  @Test
  void queues_that_hold_nothing_are_forgotten_while_nodes_run_and_made_again_when_needed() {
    Node node = world.node();
    node.submit(world.dueIn(Duration.ofDays(1), "kept"));
    world.store.queues(
        IntStream.range(0, TaskStore.FEW_QUEUES)
            .mapToObj(i -> new QueueName(new HandlerName("once-" + i), QueueName.DEFAULT))
            .toList());
    world.pass(Duration.ofMinutes(35), node);

    assertThat(world.store.queues().values())
        .extracting(name -> name.handler().wireName())
        .containsExactly("kept");
    CallAnswer<InsertResult> again = node.submit(world.dueIn(Duration.ZERO, "once-1"));
    world.pass(A_MOMENT);
    assertThat(again.get()).isInstanceOf(InsertResult.Stored.class);
  }

  private static TaskSpec by(TaskSpec task, QueueMaker maker) {
    return new TaskSpec(task.queue(), task.dueMicros(), task.details(), task.idempotency(), maker);
  }

  @Test
  void a_queue_that_another_transaction_was_making_is_not_waited_for_again_within_a_second() {
    Node node = world.node();
    TaskSpec one = world.dueIn(Duration.ZERO, "resize");
    world.beingMade = one.queue();
    node.submit(one);
    world.pass(A_MOMENT);
    world.beingMade = null;

    CallAnswer<InsertResult> atOnce = node.submit(one);
    world.pass(A_MOMENT);
    assertThat(atOnce.get()).isEqualTo(new InsertResult.Busy());

    world.pass(Duration.ofSeconds(1), node);
    CallAnswer<InsertResult> later = node.submit(one);
    world.pass(A_MOMENT);
    assertThat(later.get()).isInstanceOf(InsertResult.Stored.class);
  }

  @Test
  void a_key_that_another_transaction_held_is_not_waited_for_again_within_a_second() {
    Node node = world.node();
    TaskSpec one = world.keyed(Duration.ZERO, "resize", "a");
    TaskSpec two = world.keyed(Duration.ZERO, "resize", "b");
    world.keysAreHeld = true;
    node.submit(one, two);
    world.pass(A_MOMENT);
    world.keysAreHeld = false;

    CallAnswer<InsertResult> same = node.submit(two, one);
    CallAnswer<InsertResult> perhapsNot = node.submit(two);
    CallAnswer<InsertResult> otherHandler = node.submit(world.keyed(Duration.ZERO, "mail", "a"));
    world.pass(A_MOMENT);
    assertThat(same.get()).isEqualTo(new InsertResult.Busy());
    assertThat(perhapsNot.get()).isInstanceOf(InsertResult.Stored.class);
    assertThat(otherHandler.get()).isInstanceOf(InsertResult.Stored.class);

    world.pass(Duration.ofSeconds(1), node);
    CallAnswer<InsertResult> later = node.submit(one, two);
    world.pass(A_MOMENT);
    assertThat(later.get()).isInstanceOf(InsertResult.Stored.class);
  }

  @Test // PD-24, PD-28
  void a_task_is_not_handed_out_before_its_due_time() {
    Node node = world.node();
    CallAnswer<List<ClaimedTask>> asked = node.ask(10, "resize");
    node.schedule(world.dueIn(Duration.ofSeconds(3), "resize"));

    world.pass(Duration.ofMillis(2_999), node);
    assertThat(asked.isAnswered()).isFalse();

    world.pass(Duration.ofMillis(2), node);
    assertThat(asked.get()).hasSize(1);
  }

  @Test
  void da3_higher_priorities_come_first() {
    Node node = world.node();
    node.schedule(
        world.spec(Duration.ZERO, "mail", 10, RetryPolicy.DEFAULT),
        world.spec(Duration.ZERO, "mail", 90, RetryPolicy.DEFAULT),
        world.spec(Duration.ZERO, "mail", 50, RetryPolicy.DEFAULT));
    world.pass(A_MOMENT);

    List<Integer> priorities = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
      world.pass(Duration.ofSeconds(2));
      priorities.add(asked.get().getFirst().queue().priority());
    }

    assertThat(priorities).containsExactly(90, 50, 10);
  }

  @Test
  void
      low_priorities_and_other_handlers_begin_although_the_store_and_memory_are_full_of_higher_ones() {
    TaskConfig shipped = TaskConfig.DEFAULT;
    Node node = world.new Node(with(shipped.pollInterval(), 20, 10, shipped.retention()));
    for (int i = 0; i < 400; i++) {
      node.schedule(world.spec(Duration.ZERO, "mail", 90, RetryPolicy.DEFAULT));
    }
    world.pass(Duration.ofSeconds(3)); // so that the queue counts as slow
    node.schedule(world.spec(Duration.ZERO, "mail", 10, RetryPolicy.DEFAULT));
    node.schedule(world.spec(Duration.ZERO, "print", 50, RetryPolicy.DEFAULT));

    List<QueueName> order = new ArrayList<>();
    while (order.size() < 200) {
      CallAnswer<List<ClaimedTask>> asked = node.ask(10, "mail", "print");
      world.pass(Duration.ofSeconds(1));
      asked.get().forEach(work -> order.add(work.queue()));
    }

    assertThat(order.indexOf(new QueueName(new HandlerName("print"), 50))).isBetween(0, 20);
    assertThat(order.indexOf(new QueueName(new HandlerName("mail"), 10))).isBetween(80, 92 + 20);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void da15_when_nothing_wakes_it_the_start_waits_for_the_poll(int seconds) {
    Duration poll = Duration.ofSeconds(seconds);
    Node one = world.new Node(polling(poll));
    Node other = world.node();
    CallAnswer<List<ClaimedTask>> asked = one.ask(1, "mail");
    world.pass(Duration.ofMillis(100));

    other.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(poll.minusMillis(300));
    assertThat(asked.isAnswered()).isFalse();

    world.pass(Duration.ofMillis(400));
    assertThat(asked.get()).hasSize(1);
  }

  @Test // DA-L4
  void da15_a_task_that_another_node_takes_in_is_heard_of_before_the_poll() {
    world.notifier = new ModelDueNotifier();
    Node one = world.new Node(polling(Duration.ofSeconds(2)));
    Node other = world.node();
    CallAnswer<List<ClaimedTask>> asked = one.ask(1, "mail");
    world.pass(Duration.ofMillis(100));

    other.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(Duration.ofMillis(100));

    assertThat(asked.get()).hasSize(1);
  }

  @Test
  void da10_what_a_round_brings_into_memory_while_its_node_stops_is_given_back_too() {
    Node node = world.node();
    node.schedule(world.dueIn(Duration.ofSeconds(30), "mail")); // so that it knows the queue
    CallAnswer<List<TaskId>> task = world.node().schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(A_MOMENT);
    world.during("enqueue", () -> node.tasks.stop(Duration.ZERO));

    node.ask(1, "mail");
    world.pass(A_MOMENT, node);
    assertThat(world.state(task.get().getFirst())).isEqualTo(TaskState.ENQUEUED);
    node.tasks.giveBack(Duration.ofSeconds(1));

    assertThat(world.state(task.get().getFirst())).isEqualTo(TaskState.NEW);
  }

  @Test
  void however_much_is_taken_in_the_bell_rings_a_few_times_a_second() {
    ModelDueNotifier notifier = new ModelDueNotifier();
    world.notifier = notifier;
    Node node = world.node();

    for (int i = 0; i < 200; i++) {
      node.schedule(world.dueIn(Duration.ZERO, "nobody-asks"));
      world.pass(A_MOMENT);
    }

    assertThat(notifier.rings()).isBetween(2, 11);
  }

  @Test
  void what_is_due_later_than_the_polls_rings_nothing() {
    ModelDueNotifier notifier = new ModelDueNotifier();
    world.notifier = notifier;
    Node node = world.node();

    node.schedule(world.dueIn(Duration.ofSeconds(30), "mail"));
    world.pass(Duration.ofSeconds(1));

    assertThat(notifier.rings()).isZero();
  }

  @Test // PD-25, PD-L7, PD-L11
  void pd26_memory_takes_no_more_of_a_queue_than_its_bound_and_the_rest_comes_in_its_turn() {
    Node node = world.new Node(with(Duration.ofSeconds(1), 20));
    for (int i = 0; i < 100; i++) {
      node.schedule(world.dueIn(Duration.ofSeconds(5), "mail"));
    }
    Set<TaskId> performed = new HashSet<>();
    int most = 0;

    for (int i = 0; i < 60 && performed.size() < 100; i++) {
      CallAnswer<List<ClaimedTask>> asked = node.ask(7, "mail");
      world.pass(Duration.ofMillis(900));
      most = Math.max(most, node.tasks.enqueued());
      if (asked.isAnswered()) {
        for (ClaimedTask work : asked.get()) {
          performed.add(work.task().id());
          node.report(work.task(), new AttemptOutcome.Succeeded());
        }
      }
    }

    assertThat(most).isBetween(1, 20);
    assertThat(performed).hasSize(100);
  }

  @Test
  void da22_a_silent_worker_loses_its_task_and_its_late_result_is_refused() {
    Node node = world.node();
    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    ClaimedTask first = next(node);

    world.pass(LEASE.plusSeconds(1), node);
    ClaimedTask second = next(node);

    assertThat(second.task().id()).isEqualTo(first.task().id());
    assertThat(second.task().fence()).isGreaterThan(first.task().fence());
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(node.report(first.task(), new AttemptOutcome.Succeeded()))
        .isInstanceOfSatisfying(
            ReportResult.HeldBy.class,
            held -> assertThat(held.holder().fence()).isEqualTo(second.task().fence()));
    HeartbeatResult late = node.beat(first.task());
    assertThat(late.beat()).isEqualTo(HeartbeatFinding.LOST);
    assertThat(requireNonNull(late.holder()).fence()).isEqualTo(second.task().fence());
    assertThat(node.report(second.task(), new AttemptOutcome.Succeeded()))
        .isEqualTo(new ReportResult.Accepted());
  }

  @Test
  void a_heartbeat_holds_also_when_the_store_does_not_say_who_has_what_another_one_lost() {
    Node node = world.node();
    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    ClaimedTask first = next(node);
    world.pass(LEASE.plusSeconds(1), node);
    ClaimedTask second = next(node);
    world.loseAll("holders");
    CallAnswer<List<HeartbeatResult>> told = new CallAnswer<>();

    node.tasks.heartbeat(List.of(first.task(), second.task()), told);
    world.pass(A_MOMENT, node);

    assertThat(told.get())
        .containsExactly(
            new HeartbeatResult(HeartbeatFinding.LOST, null),
            new HeartbeatResult(HeartbeatFinding.EXTENDED, null));
  }

  @Test
  void da22_one_look_at_the_store_says_who_holds_what_a_worker_has_lost() {
    Node node = world.node();
    TaskSpec spec = world.dueIn(Duration.ZERO, "mail");
    node.schedule(spec, spec, spec, spec, spec);
    CallAnswer<List<ClaimedTask>> first = node.ask(5, "mail");
    world.pass(LEASE.plusSeconds(3), node);
    CallAnswer<List<ClaimedTask>> second = node.ask(5, "mail");
    world.pass(Duration.ofSeconds(3), node);
    assertThat(second.get()).hasSize(5);
    CallAnswer<List<ReportResult>> told = new CallAnswer<>();

    node.tasks.report(
        first.get().stream()
            .map(work -> new AttemptReport(work.task(), new AttemptOutcome.Succeeded()))
            .toList(),
        told);
    world.pass(A_MOMENT, node);

    assertThat(told.get()).hasSize(5).hasOnlyElementsOfType(ReportResult.HeldBy.class);
    assertThat(world.calls("holders")).isEqualTo(1);
  }

  @Test
  void a_worker_that_ignores_the_execution_timeout_loses_the_attempt_which_fails_for_now() {
    Node node = world.node();
    TaskSpec spec = world.dueIn(Duration.ZERO, "mail");
    Duration timeout = Duration.ofSeconds(5);
    node.schedule(
        new TaskSpec(
            spec.queue(),
            spec.dueMicros(),
            spec.details()
                .withExecutionTimeout(timeout)
                .withRetryPolicy(new RetryPolicy(2, LEASE, 1, LEASE)),
            null));
    FencedTask task = next(node).task();
    for (int i = 0; i < 3; i++) {
      world.pass(Duration.ofSeconds(1), node);
      assertThat(node.beat(task).beat()).isEqualTo(HeartbeatFinding.EXTENDED);
    }

    world.pass(TaskStore.TIMEOUT_GRACE, node);

    assertThat(node.beat(task).beat()).isEqualTo(HeartbeatFinding.LOST);
    assertThat(node.report(task, new AttemptOutcome.Succeeded()))
        .isNotInstanceOf(ReportResult.Accepted.class);
    world.pass(LEASE, node);
    TaskView ended = world.store.find(task.id()).orElseThrow();
    assertThat(ended.state()).as("waits for its backoff").isEqualTo(TaskState.RETRIABLE_FAILURE);
    assertThat(ended.progress().failures().getFirst().error())
        .isEqualTo("attempt 1 took longer than its execution timeout");
  }

  /** A task that a worker performs, with an execution timeout of five seconds. */
  private FencedTask timed(Node node) {
    TaskSpec spec = world.dueIn(Duration.ZERO, "mail");
    node.schedule(
        new TaskSpec(
            spec.queue(),
            spec.dueMicros(),
            spec.details().withExecutionTimeout(Duration.ofSeconds(5)),
            null));
    return next(node).task();
  }

  @Test
  void no_attempt_is_over_time_before_the_node_believes_so() {
    Node node = world.node();
    FencedTask task = timed(node);
    world.believed = OptionalLong.of(EpochMicros.of(world.crank.clock().instant()));
    for (int i = 0; i < 8; i++) {
      world.pass(Duration.ofSeconds(1), node);
      assertThat(node.beat(task).beat()).isEqualTo(HeartbeatFinding.EXTENDED);
    }

    assertThat(node.report(task, new AttemptOutcome.Succeeded()))
        .isInstanceOf(ReportResult.Accepted.class);
  }

  @Test
  void no_attempt_is_over_time_for_a_node_that_has_just_started() {
    world.believed = OptionalLong.empty();
    Node node = world.node();
    FencedTask task = timed(node);
    world.pass(Duration.ofSeconds(8), node);

    assertThat(node.beat(task).beat()).isEqualTo(HeartbeatFinding.EXTENDED);
    assertThat(node.report(task, new AttemptOutcome.Succeeded()))
        .isInstanceOf(ReportResult.Accepted.class);
  }

  @Test
  void no_attempt_is_over_time_for_a_node_whose_clock_differs_from_the_stores() {
    Node node = world.node();
    FencedTask task = timed(node);
    node.die(); // it may not act
    world.pass(Duration.ofSeconds(8), node);

    assertThat(node.beat(task).beat()).isEqualTo(HeartbeatFinding.EXTENDED);
    assertThat(node.report(task, new AttemptOutcome.Succeeded()))
        .isInstanceOf(ReportResult.Accepted.class);
  }

  @Test
  void no_task_is_too_late_before_the_node_believes_so() {
    Node node = world.node();
    world.believed = OptionalLong.of(EpochMicros.of(world.crank.clock().instant()));
    CallAnswer<List<TaskId>> scheduled = node.schedule(world.within(Duration.ofSeconds(5), "mail"));
    world.pass(Duration.ofSeconds(8), node);
    TaskId task = scheduled.get().getFirst();
    assertThat(world.state(task)).isEqualTo(TaskState.NEW);

    world.believed = OptionalLong.empty();
    world.pass(Duration.ofSeconds(8), node);
    assertThat(world.state(task)).isEqualTo(TaskState.NEW);

    world.believed = OptionalLong.of(Long.MAX_VALUE);
    world.pass(Duration.ofSeconds(1), node);
    assertThat(world.state(task)).isEqualTo(TaskState.FAILED);
  }

  @Test
  void of_two_workers_that_report_one_attempt_the_one_that_holds_it_counts() {
    Node node = world.node();
    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    FencedTask task = next(node).task();
    String holder = world.store.holder(task.id()).orElseThrow().name();
    CallAnswer<List<ReportResult>> told = new CallAnswer<>();

    node.tasks.report(
        List.of(
            new AttemptReport(task, new AttemptOutcome.Succeeded(), ReportedBy.worker("another")),
            new AttemptReport(task, new AttemptOutcome.Succeeded(), ReportedBy.worker(holder))),
        told);
    world.pass(A_MOMENT, node);

    assertThat(told.get().getFirst()).isNotInstanceOf(ReportResult.Accepted.class);
    assertThat(told.get().getLast()).isInstanceOf(ReportResult.Accepted.class);
  }

  @Test
  void however_many_workers_report_one_attempt_the_store_is_asked_as_often() {
    Node node = world.node();
    node.schedule(world.dueIn(Duration.ZERO, "mail"), world.dueIn(Duration.ZERO, "mail"));
    CallAnswer<List<ClaimedTask>> asked = node.ask(2, "mail");
    world.pass(A_MOMENT, node);
    FencedTask task = asked.get().getFirst().task();
    FencedTask other = asked.get().getLast().task();
    String holder = world.store.holder(task.id()).orElseThrow().name();
    List<AttemptReport> reports = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      reports.add(
          new AttemptReport(
              task, new AttemptOutcome.Succeeded(), ReportedBy.worker("invented-" + i)));
    }
    reports.add(
        new AttemptReport(other, new AttemptOutcome.Succeeded(), ReportedBy.worker(holder)));
    reports.add(
        new AttemptReport(task, new AttemptOutcome.Succeeded("kept"), ReportedBy.worker(holder)));
    reports.add(
        new AttemptReport(task, new AttemptOutcome.Succeeded("late"), ReportedBy.worker(holder)));
    CallAnswer<List<ReportResult>> told = new CallAnswer<>();

    node.tasks.report(reports, told);
    world.pass(A_MOMENT, node);

    assertThat(told.get().subList(0, 500)).hasOnlyElementsOfType(ReportResult.NotHeld.class);
    assertThat(told.get().subList(500, 503))
        .containsExactly(
            new ReportResult.Accepted(), new ReportResult.Accepted(), new ReportResult.NotHeld());
    assertThat(world.store.find(task.id()).orElseThrow().progress().result().text())
        .isEqualTo("kept");
    assertThat(world.calls("settle")).isEqualTo(1);
    assertThat(world.calls("holders")).as("before and for the refused").isEqualTo(2);
  }

  @Test
  void of_one_attempt_the_report_of_its_holders_caller_counts_whoever_was_first() {
    Node node = world.node();
    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    CallAnswer<List<ClaimedTask>> asked = new CallAnswer<>();
    node.tasks.nextWork(
        new WorkRequest("w", Set.of(new HandlerName("mail")), 1, 1_000, false, "farm"), asked);
    world.pass(A_MOMENT, node);
    FencedTask task = asked.get().getFirst().task();
    CallAnswer<List<ReportResult>> told = new CallAnswer<>();

    node.tasks.report(
        List.of(
            new AttemptReport(
                task, new AttemptOutcome.Succeeded("forged"), new ReportedBy("w", "thief")),
            new AttemptReport(
                task, new AttemptOutcome.Succeeded("kept"), new ReportedBy("w", "farm"))),
        told);
    world.pass(A_MOMENT, node);

    assertThat(told.get().getFirst()).isNotInstanceOf(ReportResult.Accepted.class);
    assertThat(told.get().getLast()).isInstanceOf(ReportResult.Accepted.class);
    assertThat(world.store.find(task.id()).orElseThrow().progress().result().text())
        .isEqualTo("kept");
  }

  @Test
  void an_attempt_that_is_disputed_among_others_than_its_holder_goes_on() {
    Node node = world.node();
    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    FencedTask task = next(node).task();
    CallAnswer<List<ReportResult>> told = new CallAnswer<>();

    node.tasks.report(
        List.of(
            new AttemptReport(task, new AttemptOutcome.Succeeded(), ReportedBy.worker("one")),
            new AttemptReport(task, new AttemptOutcome.Succeeded(), ReportedBy.worker("another"))),
        told);
    world.pass(A_MOMENT, node);

    assertThat(told.get()).hasSize(2).hasOnlyElementsOfType(ReportResult.HeldBy.class);
    assertThat(world.state(task.id())).isEqualTo(TaskState.PROCESSING);
  }

  @Test
  void leases_of_all_lengths_are_renewed_by_one_call_and_the_longest_of_a_task_holds() {
    Node node = world.node();
    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    FencedTask task = next(node).task();
    List<CallAnswer<List<HeartbeatResult>>> told = new ArrayList<>();

    for (int i = 0; i < 100; i++) {
      CallAnswer<List<HeartbeatResult>> answer = new CallAnswer<>();
      node.tasks.heartbeat(List.of(task), LEASE.plusSeconds(i * 37 % 100), answer);
      told.add(answer);
    }
    world.pass(A_MOMENT, node);

    assertThat(told)
        .extracting(answer -> answer.get().getFirst().beat())
        .containsOnly(HeartbeatFinding.EXTENDED);
    assertThat(world.calls("heartbeat")).isEqualTo(1);
    world.pass(LEASE.plusSeconds(98), node);
    assertThat(world.state(task.id())).isEqualTo(TaskState.PROCESSING);
    world.pass(Duration.ofSeconds(2), node);
    assertThat(world.state(task.id())).isNotEqualTo(TaskState.PROCESSING);
  }

  @Test
  void heartbeats_keep_a_task_for_as_long_as_they_come() {
    Node node = world.node();
    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    ClaimedTask work = next(node);

    for (int i = 0; i < 30; i++) {
      world.pass(TaskConfig.DEFAULT.heartbeatInterval(), node);
      assertThat(node.beat(work.task()).beat()).isEqualTo(HeartbeatFinding.EXTENDED);
    }

    assertThat(node.report(work.task(), new AttemptOutcome.Succeeded()))
        .isEqualTo(new ReportResult.Accepted());
  }

  @Test // DA-F3
  void pd31_a_failed_attempt_is_repeated_after_its_backoff_until_attempts_are_used_up() {
    Node node = world.node();
    node.schedule(world.spec(Duration.ZERO, "mail", 50, CrankedTasks.TWICE));
    ClaimedTask first = next(node);
    node.report(first.task(), new AttemptOutcome.RetryLater("no route"));
    assertThat(world.state(first.task().id())).isEqualTo(TaskState.RETRIABLE_FAILURE);

    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
    world.pass(Duration.ofSeconds(7), node); // half of 10 s and half of the other half
    assertThat(asked.isAnswered()).isFalse();
    world.pass(Duration.ofSeconds(1), node);
    ClaimedTask second = asked.get().getFirst();
    node.report(second.task(), new AttemptOutcome.RetryLater("still no route"));

    assertThat(world.state(first.task().id())).isEqualTo(TaskState.DEAD);
    assertThat(world.store.find(first.task().id()).orElseThrow().progress().failures())
        .extracting(failure -> failure.attempt() + " " + failure.error())
        .containsExactly("1 no route", "2 still no route");
  }

  @Test // DA-L1
  void a_payload_that_kills_its_workers_uses_up_its_attempts() {
    Node node = world.node();
    node.schedule(world.spec(Duration.ZERO, "mail", 50, CrankedTasks.TWICE));
    FencedTask task = next(node).task();
    world.pass(LEASE.plusSeconds(1), node);
    next(node);

    world.pass(LEASE.plusSeconds(1), node);

    assertThat(world.state(task.id())).isEqualTo(TaskState.DEAD);
  }

  @Test
  void what_a_worker_did_not_begin_goes_to_another_at_once_and_costs_no_attempt() {
    Node node = world.node();
    node.schedule(world.spec(Duration.ZERO, "mail", 50, CrankedTasks.TWICE));
    ClaimedTask first = next(node);

    for (int i = 0; i < 5; i++) {
      assertThat(node.report(first.task(), new AttemptOutcome.NotBegun()))
          .isEqualTo(new ReportResult.Accepted());
      ClaimedTask again = next(node);
      assertThat(again.attempt()).isEqualTo(1);
      assertThat(again.task().fence()).isGreaterThan(first.task().fence());
      first = again;
    }
  }

  @Test
  void what_a_worker_puts_off_begins_after_the_delay_and_costs_no_attempt() {
    Node node = world.node();
    node.schedule(world.spec(Duration.ZERO, "mail", 50, CrankedTasks.TWICE));
    ClaimedTask first = next(node);

    for (int i = 0; i < 5; i++) {
      assertThat(node.report(first.task(), new AttemptOutcome.Snoozed(Duration.ofMinutes(10))))
          .isEqualTo(new ReportResult.Accepted());
      assertThat(world.state(first.task().id())).isEqualTo(TaskState.NEW);
      world.pass(Duration.ofMinutes(10), node);
      ClaimedTask again = next(node);
      assertThat(again.attempt()).isEqualTo(1);
      assertThat(again.task().fence()).isGreaterThan(first.task().fence());
      first = again;
    }
  }

  @Test
  void a_fatal_failure_is_the_end() {
    Node node = world.node();
    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    FencedTask task = next(node).task();

    node.report(task, new AttemptOutcome.Failed("no such address"));

    assertThat(world.state(task.id())).isEqualTo(TaskState.FAILED);
  }

  @Test
  void what_no_worker_of_a_node_asks_for_any_more_goes_to_another_node() {
    Node one = world.node();
    Node other = world.node();
    CallAnswer<List<ClaimedTask>> gone = new CallAnswer<>();
    var waiting = one.waiting(gone, 1, "mail");
    world.pass(A_MOMENT, one, other);
    one.schedule(world.dueIn(Duration.ofSeconds(4), "mail"));
    world.pass(Duration.ofMillis(1_100), one, other);
    waiting.end();
    assertThat(gone.get()).isEmpty();

    CallAnswer<List<ClaimedTask>> asked = other.ask(1, "mail");
    world.pass(Duration.ofSeconds(6), one, other);

    assertThat(asked.get()).hasSize(1);
  }

  @Test // DA-14, PD-6, PD-9
  void what_a_dead_node_had_in_memory_is_handed_out_by_another_within_seconds() {
    Node one = world.node();
    Node other = world.node();
    one.ask(1, "mail");
    world.pass(A_MOMENT, one, other);
    one.schedule(world.dueIn(Duration.ofSeconds(5), "mail"));
    world.pass(Duration.ofMillis(1_500), one, other);
    one.schedule(world.dueIn(Duration.ofMillis(3_400), "mail"));
    world.pass(Duration.ofMillis(300), one, other);
    one.die();
    CallAnswer<List<ClaimedTask>> first = other.ask(1, "mail");
    CallAnswer<List<ClaimedTask>> second = other.ask(1, "mail");
    world.pass(Duration.ofSeconds(5), other);

    assertThat(List.of(first.get(), second.get())).allSatisfy(work -> assertThat(work).hasSize(1));
  }

  @Test
  void what_a_node_stores_under_an_id_that_has_departed_is_handed_out_within_seconds() {
    Node one = world.node();
    Node other = world.node();
    CallAnswer<List<ClaimedTask>> asked = one.ask(1, "mail");
    // It is stopped in the middle of a round; the other finds that it holds nothing.
    world.pass(Duration.ofSeconds(2), other);
    CallAnswer<List<TaskId>> task = one.schedule(world.dueIn(Duration.ofSeconds(5), "mail"));
    world.pass(A_MOMENT, other);
    assertThat(world.state(task.get().getFirst())).isEqualTo(TaskState.ENQUEUED);

    one.enrolAnew();
    world.pass(Duration.ofSeconds(7), one, other);

    assertThat(asked.get()).hasSize(1);
  }

  @Test
  void da9_what_was_put_on_a_queue_by_a_call_whose_answer_was_lost_begins_within_seconds() {
    Node one = world.node();
    Node other = world.node();
    CallAnswer<List<ClaimedTask>> asked = one.ask(2, "mail");
    world.pass(Duration.ofSeconds(1), one, other);
    world.lose("insert", true);
    one.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(A_MOMENT, one, other);
    assertThat(world.store.list(world.all(TaskState.ENQUEUED)).tasks()).hasSize(1);
    world.pass(Duration.ofSeconds(4), one, other);
    one.report(asked.get().getFirst().task(), new AttemptOutcome.Succeeded());

    asked = one.ask(2, "mail");
    world.pass(A_MOMENT, one, other);
    world.lose("enqueue", true);
    other.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(Duration.ofSeconds(5), one, other);
    assertThat(asked.get()).hasSize(1);
    assertThat(world.lapsed).isZero();
  }

  @Test
  void da9_what_such_a_call_puts_on_a_queue_after_the_node_has_looked_is_found_by_a_second_look() {
    Node node = world.node();
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
    world.pass(Duration.ofSeconds(1), node);
    TaskSpec spec = world.dueIn(Duration.ZERO, "mail");
    world.lose("insert", false);
    node.schedule(spec);
    world.pass(Duration.ofSeconds(3), node);

    world.putOnQueueOf(node, spec);
    world.pass(LEASE.plusSeconds(2), node);

    assertThat(asked.get()).hasSize(1);
    assertThat(world.lapsed).isZero();
  }

  @Test
  void da21_a_claim_that_did_not_reach_the_store_is_made_again_at_once() {
    Node node = world.node();
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
    world.pass(A_MOMENT, node);
    world.lose("claim", false);

    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(Duration.ofMillis(500), node);

    assertThat(asked.get().getFirst().attempt()).isEqualTo(1);
  }

  @Test // DA-6
  void da21_a_claim_whose_answer_was_lost_lapses_and_is_nobodys_meanwhile() {
    Node node = world.node();
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
    world.pass(A_MOMENT, node);
    world.lose("claim", true);

    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(LEASE.minusMillis(500), node);
    assertThat(asked.isAnswered()).isFalse();

    world.pass(Duration.ofSeconds(2), node);
    assertThat(asked.get().getFirst().attempt()).isEqualTo(2);
  }

  @Test
  void da17_a_lease_that_lapses_is_heard_of_before_the_poll() {
    world.notifier = new ModelDueNotifier();
    Node one = world.new Node(polling(Duration.ofSeconds(2)));
    Node other = world.new Node(polling(Duration.ofSeconds(2)));
    CallAnswer<List<ClaimedTask>> lost = one.ask(1, "mail");
    world.pass(A_MOMENT, one, other);
    world.lose("claim", true);
    one.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(A_MOMENT, one, other);
    one.leave();
    CallAnswer<List<ClaimedTask>> asked = other.ask(1, "mail");

    world.pass(LEASE.plusMillis(400), one, other);

    assertThat(lost.get()).isEmpty();
    assertThat(asked.get().getFirst().attempt()).isEqualTo(2);
  }

  @Test
  void what_could_not_be_given_back_is_given_back_later() {
    Node one = world.node();
    Node other = world.node();
    CallAnswer<List<ClaimedTask>> gone = new CallAnswer<>();
    var waiting = one.waiting(gone, 1, "mail");
    world.pass(A_MOMENT, one, other);
    one.schedule(world.dueIn(Duration.ofSeconds(6), "mail"));
    world.pass(Duration.ofMillis(1_100), one, other);
    waiting.end();
    world.lose("release", false);

    CallAnswer<List<ClaimedTask>> asked = other.ask(1, "mail");
    world.pass(Duration.ofSeconds(8), one, other);

    assertThat(asked.get()).hasSize(1);
  }

  @Test
  void a_worker_that_no_longer_waits_is_told_so_at_once() {
    Node node = world.node();
    CallAnswer<List<ClaimedTask>> told = new CallAnswer<>();

    node.waiting(told, 1, "mail").end();

    assertThat(told.get()).isEmpty();
  }

  @Test
  void a_worker_that_leaves_no_longer_waits_anywhere_on_the_node() {
    Node node = world.node();
    Node other = world.node();
    List<CallAnswer<List<ClaimedTask>>> asked = List.of(node.ask(1, "mail"), node.ask(1, "report"));
    CallAnswer<List<ClaimedTask>> elsewhere = other.ask(1, "mail");

    node.leave();

    assertThat(asked).allSatisfy(told -> assertThat(told.get()).isEmpty());
    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(Duration.ofSeconds(2));
    assertThat(elsewhere.get()).hasSize(1);
  }

  @Test
  void everybody_gets_one_task_before_somebody_gets_none() {
    Node node = world.node();
    List<CallAnswer<List<ClaimedTask>>> asked = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      asked.add(node.ask(1, "mail"));
    }
    world.pass(A_MOMENT);
    for (int i = 0; i < 5; i++) {
      node.schedule(world.dueIn(Duration.ZERO, "mail"));
    }
    world.pass(Duration.ofSeconds(2));

    assertThat(asked).allSatisfy(told -> assertThat(told.get()).hasSize(1));
    assertThat(asked.stream().map(told -> told.get().getFirst().task().id()).distinct()).hasSize(5);
  }

  @Test
  void da10_a_node_that_is_not_enrolled_says_that_it_has_done_nothing() {
    Node node = world.node();
    node.die();

    CallAnswer<List<TaskId>> asked = node.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(A_MOMENT);

    assertThat(asked.failure).isInstanceOf(NotEnrolled.class);
  }

  @Test
  void a_stopped_node_gives_back_what_it_has_and_takes_nothing_more() {
    Node node = world.node();
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
    world.pass(A_MOMENT);
    node.schedule(world.dueIn(Duration.ofSeconds(5), "mail"));
    world.pass(Duration.ofMillis(1_500));
    CallAnswer<List<TaskId>> held = node.schedule(world.dueIn(Duration.ofSeconds(5), "mail"));
    world.pass(A_MOMENT);
    assertThat(world.state(held.get().getFirst())).isEqualTo(TaskState.ENQUEUED);

    assertThat(node.tasks.stop(Duration.ofSeconds(1))).isTrue();

    assertThat(world.state(held.get().getFirst())).isEqualTo(TaskState.NEW);
    assertThat(asked.get()).isEmpty();
    assertThat(node.schedule(world.dueIn(Duration.ZERO, "mail")).failure)
        .isInstanceOf(NodeStopping.class);
  }

  @Test
  void a_node_that_may_not_act_hands_nothing_out() {
    Node node = world.node();
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
    node.schedule(world.dueIn(Duration.ofSeconds(2), "mail"));
    world.pass(Duration.ofMillis(1_500));
    node.die();

    world.pass(Duration.ofSeconds(10));

    assertThat(asked.isAnswered()).isFalse();
  }

  private static void limit(Node node, String handler, TaskQueueLimit limit) {
    node.tasks
        .queues()
        .changeLimit(new QueueName(new HandlerName(handler), QueueName.DEFAULT), _ -> limit);
  }

  @Test
  void what_a_limit_holds_back_begins_as_soon_as_a_task_of_the_queue_has_ended() {
    Node node = world.node();
    limit(node, "mail", new TaskQueueLimit(1, null, null));
    node.schedule(world.dueIn(Duration.ZERO, "mail"), world.dueIn(Duration.ZERO, "mail"));
    ClaimedTask first = next(node);
    CallAnswer<List<ClaimedTask>> asked = node.ask(10, "mail");
    world.pass(Duration.ofSeconds(1), node);
    assertThat(asked.isAnswered()).isFalse();

    node.report(first.task(), new AttemptOutcome.Succeeded());
    world.pass(A_MOMENT, node);

    assertThat(asked.get()).hasSize(1);
  }

  @Test
  void what_an_end_on_another_node_makes_room_for_begins_within_the_poll_interval() {
    Node one = world.node();
    Node other = world.node();
    limit(one, "mail", new TaskQueueLimit(1, null, null));
    one.schedule(world.dueIn(Duration.ZERO, "mail"), world.dueIn(Duration.ZERO, "mail"));
    ClaimedTask first = next(one);
    CallAnswer<List<ClaimedTask>> asked = one.ask(1, "mail");
    world.pass(Duration.ofSeconds(1), one, other);

    other.report(first.task(), new AttemptOutcome.Succeeded());
    world.pass(TaskConfig.DEFAULT.pollInterval().plusMillis(100), one, other);

    assertThat(asked.get()).hasSize(1);
  }

  @Test
  void da8_a_limited_queue_keeps_no_other_queue_waiting() {
    Node node = world.node();
    limit(node, "mail", new TaskQueueLimit(0, null, null));
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail", "print");
    world.pass(A_MOMENT, node);
    for (int i = 0; i < 50; i++) {
      node.schedule(world.dueIn(Duration.ZERO, "mail"));
    }
    world.pass(Duration.ofSeconds(2), node);

    node.schedule(world.dueIn(Duration.ZERO, "print"));
    world.pass(A_MOMENT, node);

    assertThat(asked.get().getFirst().queue().handler().wireName()).isEqualTo("print");
  }

  @Test
  void a_rate_lets_tasks_begin_one_after_the_other() {
    Node node = world.node();
    limit(node, "mail", new TaskQueueLimit(null, 0.5, 1));
    for (int i = 0; i < 4; i++) {
      node.schedule(world.dueIn(Duration.ZERO, "mail"));
    }
    List<CallAnswer<List<ClaimedTask>>> asked = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      asked.add(node.ask(10, "mail"));
    }

    world.pass(Duration.ofSeconds(1), node);
    assertThat(asked.stream().filter(CallAnswer::isAnswered).count()).isEqualTo(1);

    world.pass(Duration.ofSeconds(4), node);
    assertThat(asked.stream().filter(CallAnswer::isAnswered).count()).isEqualTo(3);
  }

  @Test
  void what_a_limit_holds_back_for_long_goes_back_to_the_store_before_it_is_reaped() {
    Node node = world.node();
    limit(node, "mail", new TaskQueueLimit(0, null, null));
    node.ask(1, "mail");
    world.pass(A_MOMENT, node);
    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(Duration.ofSeconds(2), node);
    assertThat(node.tasks.enqueued()).isEqualTo(1);

    for (int i = 0; i < 3; i++) {
      world.pass(TaskConfig.DEFAULT.enqueueTimeout().dividedBy(2), node);
    }

    assertThat(world.lapsed).isZero();
  }

  @Test
  void da4_nothing_of_a_paused_handler_is_handed_out_until_it_is_resumed() {
    Node node = world.node();
    TaskHandler mail = new HandlerName("mail");
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
    world.pass(A_MOMENT, node);
    node.tasks.queues().setPause(new TaskPause(mail, null, TaskPause.Mode.PAUSE, null, ""));
    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(Duration.ofSeconds(5), node);
    assertThat(asked.isAnswered()).isFalse();

    node.tasks.queues().endPause(mail, null);
    world.pass(A_MOMENT, node);

    assertThat(asked.get()).hasSize(1);
  }

  @Test
  void da4_what_comes_for_a_dropped_handler_ends_as_cancelled() {
    Node node = world.node();
    node.ask(1, "mail");
    world.pass(A_MOMENT, node);
    node.tasks
        .queues()
        .setPause(
            new TaskPause(new HandlerName("mail"), null, TaskPause.Mode.DROP, null, "not wanted"));

    CallAnswer<List<TaskId>> scheduled = node.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(Duration.ofSeconds(3), node);

    assertThat(world.state(scheduled.get().getFirst())).isEqualTo(TaskState.CANCELLED);
  }

  @Test
  void a_handler_that_workers_ask_for_is_known_to_all_nodes() {
    Node node = world.node();
    Node other = world.node();
    node.ask(1, "mail");

    world.pass(Duration.ofSeconds(6), node, other);

    assertThat(other.tasks.queues().numbers(new HandlerName("mail")))
        .hasValueSatisfying(mail -> assertThat(mail.askedAt()).isNotNull());
  }

  /** Asks until a task comes. */
  private ClaimedTask next(Node node) {
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
    world.pass(Duration.ofSeconds(2), node);
    return asked.get().getFirst();
  }

  private static TaskConfig polling(Duration interval) {
    return with(interval, TaskConfig.DEFAULT.maxQueued());
  }

  private static TaskConfig with(Duration interval, int maxQueued) {
    return with(interval, maxQueued, TaskConfig.DEFAULT.maxBatch(), TaskConfig.DEFAULT.retention());
  }

  private static TaskConfig remembering(Duration ends) {
    TaskConfig shipped = TaskConfig.DEFAULT;
    return with(
        shipped.pollInterval(),
        shipped.maxQueued(),
        shipped.maxBatch(),
        new TaskConfig.Retention(ends, ends, ends, ends, shipped.retention().messages()));
  }

  private static TaskConfig with(
      Duration interval, int maxQueued, int maxBatch, TaskConfig.Retention retention) {
    TaskConfig shipped = TaskConfig.DEFAULT;
    return new TaskConfig(
        interval,
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
        retention);
  }
}
