package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.edge.AttemptReport;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.model.node.CrankedTasks.CallAnswer;
import io.kairos.model.node.CrankedTasks.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node's memory when workers are slow, when they leave, and when payloads are large. */
final class TaskMemoryTest {
  private static final Duration A_MOMENT = Duration.ofMillis(10);
  private static final int MANY = 4_000;

  private final CrankedTasks world = new CrankedTasks();

  private void backlog(Node node, int tasks) {
    TaskSpec[] specs = new TaskSpec[1_000];
    Arrays.fill(specs, world.dueIn(Duration.ZERO, "slow"));
    for (int i = 0; i < tasks / specs.length; i++) {
      node.schedule(specs);
    }
    world.pass(A_MOMENT, node);
  }

  @Test
  void of_a_backlog_that_its_workers_do_not_keep_up_with_little_is_taken_into_memory() {
    Node node = world.node();
    backlog(node, MANY);
    world.pass(Duration.ofSeconds(5), node);
    int most = 0;

    // Four executors, five seconds a task: while they are busy nobody waits.
    for (int i = 0; i < 12; i++) {
      CallAnswer<List<ClaimedTask>> asked = node.ask(4, "slow");
      world.pass(Duration.ofSeconds(3), node);
      asked.get().forEach(work -> node.report(work.task(), new AttemptOutcome.Succeeded()));
      most = Math.max(most, node.tasks.enqueued());
      world.pass(Duration.ofSeconds(2), node);
    }

    assertThat(most).isLessThan(100);
    assertThat(world.movedToMemory).isLessThan(2_000);
  }

  @Test
  void what_lies_in_memory_behind_slow_workers_goes_back_before_it_is_reaped() {
    Node node = world.node();
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "slow");
    world.pass(A_MOMENT, node);
    backlog(node, MANY);
    assertThat(node.tasks.enqueued()).isGreaterThan(1_000);

    for (int i = 0; i < 200; i++) {
      asked.get().forEach(work -> node.report(work.task(), new AttemptOutcome.Succeeded()));
      asked = node.ask(1, "slow");
      world.pass(Duration.ofMillis(900), node);
    }

    assertThat(world.lapsed).isZero();
  }

  @Test
  void workers_that_are_quick_empty_a_backlog_although_its_tasks_are_long_overdue() {
    Node node = world.node();
    backlog(node, MANY);
    world.pass(Duration.ofMinutes(1), node);
    int performed = 0;

    for (int i = 0; i < 40; i++) {
      CallAnswer<List<ClaimedTask>> asked = node.ask(200, "slow");
      world.pass(Duration.ofMillis(100), node);
      if (asked.isAnswered()) {
        performed += asked.get().size();
      }
    }

    assertThat(performed).isEqualTo(MANY);
  }

  @Test
  void what_is_given_back_goes_in_batches() {
    Node node = world.node();
    CallAnswer<List<ClaimedTask>> asked = new CallAnswer<>();
    var waiting = node.waiting(asked, 1, "mail");
    world.pass(A_MOMENT, node);
    TaskSpec[] specs = new TaskSpec[500];
    Arrays.fill(specs, world.dueIn(Duration.ofSeconds(9), "mail"));
    for (int i = 0; i < 6; i++) {
      node.schedule(specs);
    }
    world.pass(A_MOMENT, node);
    assertThat(node.tasks.enqueued()).isGreaterThan(2_000);

    waiting.end();
    world.pass(Duration.ofSeconds(4), node);

    assertThat(node.tasks.enqueued()).isZero();
    assertThat(world.largestRelease).isBetween(1, TaskConfig.DEFAULT.maxBatch());
    assertThat(world.store.list(world.all(TaskState.ENQUEUED)).tasks()).isEmpty();
  }

  @Test
  void what_cannot_be_given_back_keeps_no_other_handler_waiting() {
    Node one = world.node();
    Node other = world.node();
    CallAnswer<List<ClaimedTask>> gone = new CallAnswer<>();
    var waiting = one.waiting(gone, 1, "mail");
    world.pass(A_MOMENT, one, other);
    one.schedule(world.dueIn(Duration.ofSeconds(9), "mail"));
    world.pass(A_MOMENT, one, other);
    waiting.end();
    world.loseAll("release");

    world.pass(Duration.ofSeconds(2), one, other);
    CallAnswer<List<ClaimedTask>> asked = one.ask(1, "print");
    other.schedule(world.dueIn(Duration.ZERO, "print"));
    world.pass(Duration.ofSeconds(5), one, other);

    assertThat(asked.get()).hasSize(1);
  }

  @Test
  void tasks_that_are_not_yet_due_leave_room_for_those_that_are() {
    Node one = world.new Node(with(TaskConfig.DEFAULT.maxQueued(), 1 << 20));
    Node other = world.node();
    one.ask(1, "large");
    one.schedule(world.dueIn(Duration.ofSeconds(9), "large"));
    world.pass(A_MOMENT, one, other);
    for (int i = 0; i < 16; i++) {
      one.schedule(ofBytes(Duration.ofSeconds(9), "large", 1 << 16));
    }
    world.pass(A_MOMENT, one, other);

    CallAnswer<List<ClaimedTask>> asked = one.ask(10, "small");
    other.schedule(ofBytes(Duration.ZERO, "small", 1 << 18), world.dueIn(Duration.ZERO, "small"));
    world.pass(Duration.ofSeconds(2), one, other);

    assertThat(one.tasks.enqueued()).isPositive();
    assertThat(asked.isAnswered()).isTrue();
  }

  @Test
  void da8_a_backlog_of_large_payloads_leaves_room_for_other_queues() {
    Node one = world.new Node(with(TaskConfig.DEFAULT.maxQueued(), 1 << 20));
    Node other = world.node();
    for (int i = 0; i < 40; i++) {
      other.schedule(ofBytes(Duration.ZERO, "large", 1 << 16));
    }
    world.pass(Duration.ofMillis(1_100), one, other);
    one.ask(1, "large");
    world.pass(Duration.ofMillis(500), one, other);
    one.ask(1, "large");
    assertThat(one.tasks.enqueued()).as("large ones in memory").isGreaterThan(8);

    List<CallAnswer<List<ClaimedTask>>> asked = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      asked.add(one.ask(1, "small"));
      other.schedule(world.dueIn(Duration.ZERO, "small"));
    }
    world.pass(Duration.ofMillis(900), one, other);
    one.ask(1, "large");
    world.pass(Duration.ofMillis(900), one, other);

    assertThat(asked).allMatch(CallAnswer::isAnswered);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9})
  void da8_large_payloads_of_one_handler_keep_no_other_from_looking_ahead(int largeInSeconds) {
    Node one = world.new Node(with(TaskConfig.DEFAULT.maxQueued(), 1 << 20));
    Node other = world.node();
    for (int i = 0; i < 40; i++) {
      other.schedule(ofBytes(Duration.ofSeconds(largeInSeconds), "large", 1 << 16));
    }
    world.pass(Duration.ofMillis(1_100), one, other);
    one.ask(1, "large");
    world.pass(Duration.ofMillis(500), one, other);
    one.ask(1, "large");
    assertThat(one.tasks.enqueued()).as("large ones in memory").isGreaterThan(7);

    CallAnswer<List<ClaimedTask>> asked = one.ask(1, "small");
    one.schedule(world.dueIn(Duration.ofMillis(1_500), "small"));
    world.pass(Duration.ofMillis(1_490), one, other);
    assertThat(asked.isAnswered()).isFalse();
    world.loseAll("enqueue");
    world.pass(Duration.ofMillis(50), one, other);

    assertThat(asked.isAnswered()).isTrue();
  }

  @Test
  void a_backlog_that_fills_the_bytes_is_handed_out_as_fast_as_workers_ask() {
    Node one = world.new Node(with(TaskConfig.DEFAULT.maxQueued(), 1 << 20));
    Node other = world.node();
    for (int i = 0; i < 100; i++) {
      other.schedule(ofBytes(Duration.ZERO, "large", 1 << 16));
    }
    world.pass(Duration.ofMillis(1_100), one, other);
    List<CallAnswer<List<ClaimedTask>>> asked = new ArrayList<>();

    for (int i = 0; i < 30; i++) {
      asked.add(one.ask(4, "large"));
      world.pass(Duration.ofMillis(20), one, other);
    }

    int performed =
        asked.stream().filter(CallAnswer::isAnswered).mapToInt(told -> told.get().size()).sum();
    assertThat(performed).isEqualTo(100);
  }

  @Test
  void a_bad_second_of_its_workers_empties_no_memory() {
    Node node = world.node();
    backlog(node, MANY);
    world.pass(Duration.ofMinutes(1), node);
    for (int i = 0; i < 30; i++) {
      node.ask(20, "slow");
      world.pass(Duration.ofMillis(100), node);
    }
    assertThat(node.tasks.enqueued()).isGreaterThan(1_000);
    world.largestRelease = 0;

    for (int i = 0; i < 4; i++) {
      node.ask(1, "slow");
      world.pass(Duration.ofMillis(500), node);
    }

    assertThat(world.largestRelease).isZero();
  }

  @Test
  void a_queue_that_is_full_of_what_is_not_yet_due_keeps_nothing_waiting_that_is() {
    Node one = world.new Node(with(1, 128 << 20));
    Node other = world.node();
    CallAnswer<List<ClaimedTask>> asked = one.ask(1, "mail");
    one.schedule(world.dueIn(Duration.ofSeconds(9), "mail"));
    world.pass(Duration.ofSeconds(2), one, other);
    assertThat(one.tasks.enqueued()).isEqualTo(1);

    other.schedule(world.dueIn(Duration.ZERO, "mail"));
    world.pass(Duration.ofSeconds(2), one, other);

    assertThat(asked.get()).hasSize(1);
  }

  @Test
  void of_two_results_of_one_attempt_the_first_counts() {
    Node node = world.node();
    node.schedule(world.dueIn(Duration.ZERO, "mail"));
    CallAnswer<List<ClaimedTask>> asked = node.ask(1, "mail");
    world.pass(A_MOMENT, node);
    ClaimedTask work = asked.get().getFirst();
    CallAnswer<List<ReportResult>> told = new CallAnswer<>();

    node.tasks.report(
        List.of(
            new AttemptReport(work.task(), new AttemptOutcome.Succeeded()),
            new AttemptReport(work.task(), new AttemptOutcome.Failed("no")),
            new AttemptReport(work.task(), new AttemptOutcome.Succeeded())),
        told);
    world.pass(A_MOMENT, node);

    assertThat(world.state(work.task().id())).isEqualTo(TaskState.SUCCEEDED);
    List<Boolean> accepted = new ArrayList<>();
    told.get().forEach(result -> accepted.add(result instanceof ReportResult.Accepted));
    assertThat(accepted).containsExactly(true, false, true);
  }

  private TaskSpec ofBytes(Duration wait, String handler, int bytes) {
    return new TaskSpec(
        new QueueName(new HandlerName(handler), QueueName.DEFAULT),
        EpochMicros.of(world.crank.clock().instant().plus(wait)),
        TaskDetails.of(new byte[bytes]).withRetryPolicy(RetryPolicy.DEFAULT),
        null);
  }

  private static TaskConfig with(int maxQueued, long maxQueuedBytes) {
    TaskConfig shipped = TaskConfig.DEFAULT;
    return new TaskConfig(
        shipped.pollInterval(),
        shipped.horizon(),
        maxQueued,
        maxQueuedBytes,
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
}
