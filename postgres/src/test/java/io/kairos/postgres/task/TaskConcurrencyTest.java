package io.kairos.postgres.task;

import static io.kairos.postgres.TestDatabase.inParallel;
import static io.kairos.postgres.TestDatabase.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskIdempotency.OnConflict;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.delay.port.IntakeBatch;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.HeartbeatFinding;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.NoMoreQueues;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.AdmissionQuota;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.ChangeRequest;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.QueueUse;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.postgres.PostgresConfig;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What happens while another transaction is open on the same rows: a first step is left
 * uncommitted, a second one waits for it or passes over it.
 */
final class TaskConcurrencyTest {
  private static final FailureFingerprints NO_FAILURES = FailureFingerprints.of(List.of());
  private static final SettlementTerms ANY_TIME = SettlementTerms.reported(Long.MAX_VALUE);

  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final QueueName QUEUE = new QueueName(new HandlerName("mail"), 50);
  private static final QueueName LATER = new QueueName(new HandlerName("letters"), 50);
  private static final TaskQueueLimit LIMIT = new TaskQueueLimit(1_000, null, null);

  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final AtomicLong LAST_ID = new AtomicLong();

  private static PostgresStores stores;
  private static TaskStore tasks;
  private static QueueId queue;

  /** Has a greater number. */
  private static QueueId later;

  @BeforeAll
  static void open() {
    stores = DATABASE.open();
    tasks = stores.tasks();
    queue = tasks.queues(List.of(QUEUE)).values().iterator().next();
    later = tasks.queues(List.of(LATER)).values().iterator().next();
  }

  @AfterAll
  static void close() {
    stores.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.execute(
        "truncate task, finished_task, task_error, task_key, task_handler, task_request,"
            + " task_pause, task_limit");
  }

  @Test
  void enqueueing_passes_over_what_is_locked_without_waiting() throws Exception {
    TaskId locked = waiting();
    TaskId free = waiting();

    List<EnqueuedTask> enqueued =
        during(
            "update task set due_at = due_at where id = '" + locked + "'",
            () ->
                tasks.enqueue(
                    new EnqueueRequest(NODE, Map.of(queue, 10), 1 << 20, Duration.ZERO, LEASE)));

    assertThat(enqueued).extracting(one -> one.task().id()).containsExactly(free);
  }

  @Test
  void da22_a_crowd_of_lists_keeps_no_heartbeat_waiting() throws Exception {
    ListQuery successes = ListQuery.ofHandler(null, Set.of(TaskState.SUCCEEDED), null, 10);

    heartbeatDuringCrowd("finished_task", node -> node.tasks().list(successes));
  }

  @Test
  void da22_a_crowd_of_posted_messages_keeps_no_heartbeat_waiting() throws Exception {
    RouteId route = stores.messages().route("r");
    DelayedMessage message =
        new DelayedMessage(route, new MessageId("m"), 1, null, new byte[0], null, null);
    IntakeBatch posted =
        new IntakeBatch(
            route, new Fence(NODE, 1), List.of(), List.of(), List.of(message), List.of(), Set.of());

    heartbeatDuringCrowd("delayed_message", node -> node.messages().accept(posted));
  }

  private static PostgresConfig config(int poolSize, Duration statementTimeout) {
    PostgresConfig config = DATABASE.config();
    return new PostgresConfig(
        config.jdbcUrl(),
        config.user(),
        config.password(),
        poolSize,
        statementTimeout,
        config.connectTimeout(),
        false,
        config.schema());
  }

  private static void heartbeatDuringCrowd(String table, Consumer<PostgresStores> call)
      throws Exception {
    FencedTask processing = processing();
    PostgresConfig small = config(2, DATABASE.config().statementTimeout());

    try (PostgresStores node = PostgresStores.open(small);
        ExecutorService crowd = Executors.newVirtualThreadPerTaskExecutor();
        Connection connection = DATABASE.connect()) {
      connection.setAutoCommit(false);
      sql("lock table " + table + " in access exclusive mode").on(connection);
      for (int i = 0; i < 10; i++) {
        var _ = crowd.submit(() -> call.accept(node));
      }
      DATABASE.awaitLockWaits(small.poolSize());

      assertThat(node.tasks().heartbeat(List.of(processing), LEASE))
          .containsExactly(HeartbeatFinding.EXTENDED);
      connection.commit();
    }
  }

  @Test
  void what_is_just_being_changed_is_not_taken_for_lapsed() throws Exception {
    FencedTask locked = processing();
    FencedTask free = processing();
    DATABASE.execute("update task set next_trigger = 1");

    assertThat(during(lease(locked), () -> tasks.lapsed(Long.MAX_VALUE, 10)))
        .extracting(attempt -> attempt.task())
        .containsExactly(free);
  }

  @Test
  void da7_a_result_that_waits_for_a_heartbeat_is_settled_all_the_same() throws Exception {
    FencedTask processing = processing();

    assertThat(
            blockedBehind(
                lease(processing), () -> tasks.settle(List.of(succeed(processing))).tasks()))
        .containsExactly(processing);
  }

  @Test
  void da22_a_lapse_that_waits_for_a_heartbeat_finds_the_lease_extended() throws Exception {
    FencedTask dead = processing();
    FencedTask retried = processing();
    DATABASE.execute("update task set next_trigger = 1");

    assertThat(
            blockedBehind(
                "update task set next_trigger = 9000000000000000",
                () ->
                    tasks
                        .reap(
                            List.of(
                                finish(dead, TaskState.DEAD),
                                new Settlement.Retry(retried, Duration.ZERO, "lapsed")),
                            Long.MAX_VALUE)
                        .tasks()))
        .isEmpty();
    assertThat(state(dead.id())).isEqualTo(TaskState.PROCESSING);
  }

  @Test // PD-27
  void da7_a_result_that_waits_for_a_change_of_hands_is_refused() throws Exception {
    FencedTask processing = processing();

    assertThat(
            blockedBehind(
                "update task set fence = fence + 1, holder = 'another'",
                () -> tasks.settle(List.of(succeed(processing))).tasks()))
        .isEmpty();
    assertThat(tasks.holder(processing.id()).orElseThrow().name()).isEqualTo("another");
  }

  @Test
  void a_cancel_that_waits_for_the_end_of_the_task_comes_too_late() throws Exception {
    FencedTask processing = processing();

    assertThat(
            DATABASE.blockedBehind(
                connection ->
                    new SettlementStatements(List.of(succeed(processing)), ANY_TIME, NO_FAILURES)
                        .run(connection, SettlementStatements.Which.PLAIN),
                () -> tasks.cancel(processing.id())))
        .isEqualTo(CancelResult.TOO_LATE);
  }

  @Test
  void a_change_of_many_that_waits_for_a_claim_sees_what_that_has_made_of_the_task()
      throws Exception {
    FencedTask first = enqueued();
    FencedTask second = enqueued();

    assertThat(
            DATABASE.blockedBehind(
                connection ->
                    TaskClaims.run(
                        connection, List.of(new TaskClaim(first, queue, "w", null)), LEASE),
                () -> tasks.change(cancel(Set.of(TaskState.ENQUEUED))).count()))
        .isEqualTo(1);
    assertThat(state(first.id())).isEqualTo(TaskState.PROCESSING);
    assertThat(state(second.id())).isEqualTo(TaskState.CANCELLED);
    assertThat(
            DATABASE.blockedBehind(
                connection ->
                    new SettlementStatements(List.of(succeed(first.next())), ANY_TIME, NO_FAILURES)
                        .run(connection, SettlementStatements.Which.PLAIN),
                () -> tasks.change(cancel(ChangeRequest.UNFINISHED)).count()))
        .isZero();
  }

  private static ChangeRequest cancel(Set<TaskState> states) {
    return new ChangeRequest(
        new ChangeRequest.Filter(null, states, null, null, null, null, 0, "", "", null, null),
        new ChangeRequest.Cancel(),
        10,
        false);
  }

  @Test
  void a_claim_that_waits_for_a_cancel_is_refused() throws Exception {
    FencedTask enqueued = enqueued();

    assertThat(
            DATABASE.blockedBehind(
                connection -> TaskChanges.cancel(connection, enqueued.id()), () -> claim(enqueued)))
        .isEmpty();
  }

  @Test
  void da4_a_gate_is_closed_only_when_no_claim_under_way_has_not_seen_it() throws Exception {
    FencedTask before = enqueued();
    FencedTask after = enqueued();
    TaskPause pause = new TaskPause(QUEUE.handler(), null, TaskPause.Mode.PAUSE, null, "");

    DATABASE.blockedBehind(
        connection ->
            TaskClaims.run(connection, List.of(new TaskClaim(before, queue, "w", null)), LEASE),
        () -> {
          tasks.setPause(pause);
          return pause;
        });

    assertThat(state(before.id())).isEqualTo(TaskState.PROCESSING);
    assertThat(claim(after)).isEmpty();
  }

  @Test
  void claims_of_a_limited_queue_take_turns() throws Exception {
    FencedTask one = enqueued();
    FencedTask two = enqueued();
    tasks.setLimit(queue, new TaskQueueLimit(1, null, null));

    Set<FencedTask> second =
        DATABASE.blockedBehind(
            connection ->
                TaskClaims.run(connection, List.of(new TaskClaim(one, queue, "w", null)), LEASE),
            () -> claim(two));

    assertThat(second).isEmpty();
    assertThat(tasks.limits().get(queue))
        .isEqualTo(new QueueUse(new TaskQueueLimit(1, null, null), 1));
  }

  @Test
  void a_claim_whose_clock_is_older_than_that_of_the_one_before_refills_nothing_twice() {
    tasks.setLimit(queue, new TaskQueueLimit(null, 10.0, 10));
    long afterThis = 9_000_000_000_000_000L;
    DATABASE.execute("update task_limit set tokens = 5, tokens_at = " + afterThis);

    assertThat(claim(enqueued())).hasSize(1);

    assertThat(DATABASE.number("select tokens::bigint from task_limit")).isEqualTo(4);
    assertThat(DATABASE.number("select tokens_at from task_limit")).isEqualTo(afterThis);
  }

  @Test
  void who_changes_the_limit_of_a_queue_finds_what_another_has_just_changed() throws Exception {
    TaskQueueLimit both = new TaskQueueLimit(7, 5.0, null);

    QueueUse use =
        DATABASE.blockedBehind(
            connection ->
                QueueLimits.change(
                    connection,
                    queue,
                    before -> new TaskQueueLimit(7, before.perSecond(), before.burst())),
            () ->
                tasks.changeLimit(
                    queue, before -> new TaskQueueLimit(before.maxRunning(), 5.0, before.burst())));

    assertThat(use).isEqualTo(new QueueUse(both, 0));
    assertThat(tasks.limits()).containsEntry(queue, use);
  }

  @Test
  void a_claim_that_waits_for_an_end_finds_the_room_that_it_made() throws Exception {
    FencedTask processing = processing();
    FencedTask enqueued = enqueued();
    tasks.setLimit(queue, new TaskQueueLimit(1, null, null));

    Set<FencedTask> claimed =
        DATABASE.blockedBehind(
            connection ->
                new SettlementStatements(List.of(succeed(processing)), ANY_TIME, NO_FAILURES)
                    .run(connection, SettlementStatements.Which.PLAIN),
            () -> claim(enqueued));

    assertThat(claimed).containsExactly(enqueued);
    assertThat(tasks.limits().get(queue))
        .isEqualTo(new QueueUse(new TaskQueueLimit(1, null, null), 1));
  }

  @Test
  void a_limited_queue_never_runs_more_than_it_may_however_many_nodes_claim_and_settle()
      throws Exception {
    int most = 5;
    tasks.setLimit(queue, new TaskQueueLimit(most, null, null));
    List<FencedTask> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(enqueued());
    }
    Queue<FencedTask> left = new ConcurrentLinkedQueue<>(all);
    Callable<Integer> node =
        () -> {
          int highest = 0;
          for (FencedTask task = left.poll(); task != null; task = left.poll()) {
            if (claim(task).isEmpty()) {
              left.add(task);
              continue;
            }
            highest =
                Math.max(
                    highest, (int) DATABASE.number("select count(*) from task where state = 'P'"));
            tasks.settle(List.of(succeed(task.next())));
          }
          return highest;
        };

    assertThat(inParallel(4, node)).allMatch(highest -> highest <= most);

    assertThat(DATABASE.number("select count(*) from finished_task")).isEqualTo(200);
    assertThat(tasks.limits())
        .containsEntry(queue, new QueueUse(new TaskQueueLimit(most, null, null), 0));
  }

  @Test
  void the_count_of_a_limited_queue_is_mended_however_busy_it_is() throws Exception {
    tasks.setLimit(queue, LIMIT);
    FencedTask enqueued = enqueued();
    DATABASE.execute("update task_limit set running = 5");

    DATABASE.blockedBehind(
        connection ->
            TaskClaims.run(connection, List.of(new TaskClaim(enqueued, queue, "w", null)), LEASE),
        tasks::recountLimits);

    assertThat(tasks.limits()).containsEntry(queue, new QueueUse(LIMIT, 1));
  }

  @Test
  void nodes_that_count_what_runs_at_once_add_what_is_missing_once() throws Exception {
    tasks.setLimit(queue, LIMIT);
    processing();
    processing();
    DATABASE.execute("update task_limit set running = 0");

    DATABASE.during(QueueLimits::recount, tasks::recountLimits);

    assertThat(tasks.limits()).containsEntry(queue, new QueueUse(LIMIT, 2));
  }

  @Test
  void ends_of_several_kinds_take_limits_in_the_order_of_the_queues() throws Exception {
    Settlement first = succeed(processing(newTask(later)));
    Settlement second = retry(processing(newTask(queue)));

    assertThat(whileLaterIsFree(() -> tasks.settle(List.of(first, second))).tasks())
        .containsExactlyInAnyOrder(first.task(), second.task());
  }

  @Test
  void ends_of_several_kinds_with_keys_take_limits_in_the_order_of_the_queues() throws Exception {
    Settlement first = succeed(processing(ordered(later, "a")));
    Settlement second = retry(processing(ordered(queue, "b")));

    assertThat(whileLaterIsFree(() -> tasks.settle(List.of(first, second))).tasks())
        .containsExactlyInAnyOrder(first.task(), second.task());
  }

  @Test
  void claims_with_and_without_keys_take_limits_in_the_order_of_the_queues() throws Exception {
    TaskClaim first = enqueued(ordered(later, "a"));
    TaskClaim second = enqueued(newTask(queue));

    assertThat(whileLaterIsFree(() -> tasks.claim(List.of(first, second), LEASE)).claimed())
        .containsExactlyInAnyOrder(first.enqueued(), second.enqueued());
  }

  /** While it waits for the limit of the first queue, that of the later one is nobody's. */
  private static <T> T whileLaterIsFree(Callable<T> waiting) throws Exception {
    tasks.setLimit(queue, LIMIT);
    tasks.setLimit(later, LIMIT);
    TaskClaim other = enqueued(newTask(later));
    return DATABASE.blockedBehind(
        sql("select from task_limit where queue_id = " + queue.value() + " for no key update"),
        waiting,
        () -> assertThat(tasks.claim(List.of(other), LEASE).claimed()).hasSize(1));
  }

  @Test
  void da22_ends_of_several_kinds_hold_no_task_while_they_wait_for_one_before_it()
      throws Exception {
    FencedTask first = processing();
    FencedTask second = processing();
    Settlement finish = succeed(second);

    Set<FencedTask> settled =
        DATABASE.blockedBehind(
            sql("select from task where id = '" + first.id() + "' for no key update"),
            () -> tasks.settle(List.of(finish, retry(first))).tasks(),
            () ->
                assertThat(tasks.heartbeat(List.of(second), LEASE))
                    .containsExactly(HeartbeatFinding.EXTENDED));

    assertThat(settled).containsExactlyInAnyOrder(first, second);
  }

  @Test
  void da17_what_was_enqueued_for_too_long_waits_again_before_ends_wait_for_a_limit()
      throws Exception {
    tasks.setLimit(queue, LIMIT);
    FencedTask enqueued = enqueued();
    FencedTask processing = processing();
    DATABASE.execute("update task set next_trigger = 1");

    Set<FencedTask> settled =
        DATABASE.blockedBehind(
            sql("select from task_limit for no key update"),
            () ->
                tasks
                    .reap(
                        List.of(retry(processing), new Settlement.Requeue(enqueued)),
                        Long.MAX_VALUE)
                    .tasks(),
            () -> assertThat(state(enqueued.id())).isEqualTo(TaskState.NEW));

    assertThat(settled).containsExactlyInAnyOrder(processing, enqueued);
  }

  @Test
  void claims_and_ends_of_limited_queues_never_wait_for_each_other_in_a_ring() throws Exception {
    tasks.setLimit(queue, LIMIT);
    tasks.setLimit(later, LIMIT);
    tasks.setQuota(QUEUE.handler(), 1_000L);
    tasks.setQuota(LATER.handler(), 1_000L);
    int rounds = 60;
    Callable<Integer> node =
        () -> {
          for (int round = 0; round < rounds; round++) {
            List<TaskClaim> claims =
                List.of(
                    enqueued(newTask(later)),
                    enqueued(newTask(queue)),
                    enqueued(newTask(later)),
                    enqueued(newTask(queue)));
            assertThat(tasks.claim(claims, LEASE).claimed()).hasSize(claims.size());
            int direction = round % 2 == 0 ? 1 : -1;
            List<FencedTask> begun =
                claims.stream()
                    .sorted(Comparator.comparingInt(one -> direction * one.queue().value()))
                    .map(claim -> claim.enqueued().next())
                    .toList();
            List<Settlement> ends =
                List.of(
                    succeed(begun.get(0)),
                    retry(begun.get(2)),
                    new Settlement.NotBegun(begun.get(1)));
            assertThat(tasks.settle(ends).tasks()).hasSize(3);
            List<Settlement> held = List.of(finish(begun.get(3), TaskState.DEAD));
            assertThat(tasks.reap(held, Long.MAX_VALUE).tasks()).isEmpty();
          }
          return rounds;
        };

    assertThat(inParallel(4, node)).containsOnly(rounds);

    assertThat(tasks.quota(QUEUE.handler()).orElseThrow().unfinished())
        .isEqualTo(DATABASE.number("select count(*) from task where queue_id = " + queue.value()));
  }

  @Test
  void batches_of_the_same_tasks_in_different_orders_wait_for_each_other_one_way_round()
      throws Exception {
    int threads = 4;
    List<FencedTask> processing = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      processing.add(processing());
    }
    CyclicBarrier together = new CyclicBarrier(threads);
    Callable<Integer> worker =
        () -> {
          List<FencedTask> shuffled = new ArrayList<>(processing);
          Collections.shuffle(shuffled);
          together.await();
          for (int round = 0; round < 10; round++) {
            assertThat(tasks.heartbeat(shuffled, LEASE)).hasSize(shuffled.size());
          }
          return tasks.settle(shuffled.stream().map(task -> succeed(task)).toList()).tasks().size();
        };

    int settled = inParallel(threads, worker).stream().mapToInt(Integer::intValue).sum();

    assertThat(settled).isEqualTo(processing.size());
    assertThat(DATABASE.number("select count(*) from finished_task")).isEqualTo(200);
  }

  @Test
  void a_key_that_an_open_transaction_has_taken_concerns_nobody_else() throws Exception {
    NewTask first = newTask();
    NewTask busy = newTask();
    NewTask neighbour = newTask();
    NewTask plain = newTask();
    String take =
        "insert into task_request (handler, key, task_id, mode) values ('mail', 'k', '"
            + first.id()
            + "', 'E')";

    List<InsertResult> results =
        during(
            take,
            () ->
                tasks.insert(
                    NODE, List.of(keyed(busy, "k"), keyed(neighbour, "n"), plain(plain)), LEASE));

    assertThat(results.getFirst()).isEqualTo(new InsertResult.Busy());
    assertThat(results.subList(1, 3)).allMatch(result -> result instanceof InsertResult.Stored);
    assertThat(tasks.find(busy.id())).isEmpty();
    assertThat(tasks.find(neighbour.id())).isPresent();
    assertThat(tasks.insert(NODE, List.of(keyed(busy, "k")), LEASE))
        .containsExactly(new InsertResult.Stored(List.of(TaskReceipt.duplicate(first.id()))));
  }

  @Test
  void many_keys_that_an_open_transaction_has_taken_concern_nobody_else() throws Exception {
    List<InsertRequest> requests = new ArrayList<>();
    for (int i = 1; i <= 64; i++) {
      requests.add(keyed(newTask(), "k" + i));
    }
    requests.add(30, keyed(newTask(), "n"));

    List<InsertResult> results =
        during(
            "insert into task_request (handler, key, task_id, mode)"
                + " select 'mail', 'k' || i, gen_random_uuid(), 'E' from generate_series(1, 64) i",
            () -> tasks.insert(NODE, requests, LEASE));

    assertThat(results.get(30)).isInstanceOf(InsertResult.Stored.class);
    assertThat(results).filteredOn(new InsertResult.Busy()::equals).hasSize(64);
  }

  @Test
  void an_ordering_key_that_an_open_transaction_makes_concerns_nobody_else() throws Exception {
    NewTask busy = ordered(queue, "k");
    NewTask neighbour = ordered(queue, "n");

    List<InsertResult> results =
        during(
            "insert into task_key (handler, key) values ('mail', 'k')",
            () -> tasks.insert(NODE, List.of(plain(busy), plain(neighbour)), LEASE));

    assertThat(results.getFirst()).isEqualTo(new InsertResult.Busy());
    assertThat(results.getLast()).isInstanceOf(InsertResult.Stored.class);
    assertThat(tasks.find(busy.id())).isEmpty();
  }

  @Test
  void a_queue_that_an_open_transaction_makes_is_left_out() throws Exception {
    QueueName busy = new QueueName(new HandlerName("just-made"), 1);
    QueueName other = new QueueName(new HandlerName("another"), 1);

    Map<QueueName, QueueId> numbers =
        during(
            "insert into task_queue (handler, priority) values ('just-made', 1)",
            () -> tasks.queues(List.of(busy, other, QUEUE)));

    assertThat(numbers).containsOnlyKeys(other, QUEUE);
    assertThat(tasks.queues(List.of(busy))).containsOnlyKeys(busy);
  }

  @Test
  void when_there_are_as_many_queues_as_there_may_be_new_ones_are_left_out() throws Exception {
    QueueName last = new QueueName(new HandlerName("a-last"), 1);
    QueueName another = new QueueName(new HandlerName("b-another"), 1);
    long room = TaskStore.MOST_QUEUES - DATABASE.number("select count(*) from task_queue");
    DATABASE.execute(
        "insert into task_queue (handler, priority) select 'made-up-' || n, 0"
            + " from generate_series(2, "
            + room
            + ") n");

    try {
      assertThat(tasks.queues(List.of(QUEUE, another, last))).containsOnlyKeys(QUEUE, last);
      assertThat(tasks.queues(List.of(another))).isEmpty();
      try (Connection connection = DATABASE.connect()) {
        assertThatThrownBy(() -> FiredTasks.queue(connection, another))
            .isInstanceOf(NoMoreQueues.class);
      }
    } finally {
      DATABASE.execute("delete from task_queue where handler ~ '^(made-up-|a-last)'");
    }
  }

  @Test
  void a_maker_has_a_quarter_of_the_queues_and_others_go_on_making_theirs() {
    QueueMaker maker = QueueMaker.caller("shop");
    QueueName mine = new QueueName(new HandlerName("a-mine"), 1);
    QueueName another = new QueueName(new HandlerName("b-another"), 1);
    DATABASE.execute(
        "insert into task_queue (handler, priority, made_by)"
            + " select 'made-up-' || n, 0, 'caller shop' from generate_series(2, "
            + QueueMaker.MOST_QUEUES
            + ") n");

    try {
      assertThat(tasks.queues(List.of(another, mine, QUEUE), maker)).containsOnlyKeys(QUEUE, mine);
      assertThat(tasks.queuesOf(maker)).isEqualTo(QueueMaker.MOST_QUEUES);
      assertThat(tasks.queues(List.of(another), maker)).isEmpty();
      assertThat(tasks.queues(List.of(another), QueueMaker.MESSAGES)).hasSize(1);
    } finally {
      DATABASE.execute("delete from task_queue where handler ~ '^(made-up-|a-mine|b-another)'");
    }
  }

  @Test
  void of_what_workers_ask_for_the_latest_is_kept_up_to_a_bound() {
    DATABASE.execute(
        "insert into handler_asked select 'made-up-' || n, n from generate_series(1, "
            + (TaskStore.MOST_ASKED + 5)
            + ") n");

    tasks.forgetAsked(Duration.ofDays(100 * 365));

    assertThat(DATABASE.number("select min(asked_at) from handler_asked")).isEqualTo(6);
    tasks.forgetAsked(Duration.ofDays(1));
    assertThat(DATABASE.number("select count(*) from handler_asked")).isZero();
  }

  @ParameterizedTest
  @EnumSource(OnConflict.class)
  void a_duplicate_of_a_blocked_task_does_not_hide_it_from_its_key(OnConflict onConflict)
      throws Exception {
    TaskIdempotency id =
        new TaskIdempotency("once", new TaskIdempotency.Window.WhileUnfinished(), onConflict);
    FencedTask head = processing(ordered(queue, "k"));
    NewTask blocked = ordered(queue, "k");
    tasks.insert(
        NODE, List.of(new InsertRequest(List.of(new ArrivingTask(blocked, false, id)))), LEASE);
    InsertRequest again = new InsertRequest(List.of(new ArrivingTask(newTask(), false, id)));

    DATABASE.during(
        connection ->
            TaskAdmission.run(connection, NODE, List.of(again), LEASE, Duration.ofSeconds(1)),
        () -> tasks.settle(List.of(succeed(head))));

    assertThat(state(blocked.id())).isEqualTo(TaskState.NEW);
  }

  @Test
  void da4_a_gate_that_drops_holds_up_nobody_while_it_waits_for_a_key() throws Exception {
    NewTask doomed = ordered(queue, "k");
    insert(doomed, false);
    TaskClaim other = enqueued(newTask(later));
    tasks.setPause(new TaskPause(QUEUE.handler(), null, TaskPause.Mode.DROP, null, ""));

    int dropped =
        DATABASE.blockedBehind(
            sql("select from task_key for no key update"),
            () -> tasks.applyPauses(10),
            () -> assertThat(tasks.claim(List.of(other), LEASE).claimed()).hasSize(1));

    assertThat(dropped).isEqualTo(1);
  }

  @Test
  void of_many_that_ask_at_once_with_one_key_one_is_stored() throws Exception {
    int threads = 4;
    CyclicBarrier together = new CyclicBarrier(threads);
    Callable<TaskId> caller =
        () -> {
          NewTask task = newTask();
          together.await();
          InsertResult result = new InsertResult.Busy();
          while (result instanceof InsertResult.Busy) {
            result = tasks.insert(NODE, List.of(keyed(task, "k")), LEASE).getFirst();
          }
          return ((InsertResult.Stored) result).receipts().getFirst().id();
        };

    assertThat(Set.copyOf(inParallel(threads, caller))).hasSize(1);
    assertThat(DATABASE.number("select count(*) from task")).isEqualTo(1);
  }

  @Test
  void the_count_of_a_quota_is_exact_when_many_change_it_at_once() throws Exception {
    tasks.setQuota(QUEUE.handler(), 50L);
    Callable<Integer> caller =
        () -> {
          int stored = 0;
          for (int i = 0; i < 30; i++) {
            NewTask task = newTask();
            InsertResult result = new InsertResult.Busy();
            while (result instanceof InsertResult.Busy) {
              result = tasks.insert(NODE, List.of(plain(task)), LEASE).getFirst();
            }
            if (i % 10 == 0) {
              tasks.recountQuotas();
            }
            if (result instanceof InsertResult.Stored) {
              stored++;
              if (i % 3 == 0 && tasks.cancel(task.id()) == CancelResult.CANCELLED) {
                stored--;
              }
            }
          }
          return stored;
        };

    long left = inParallel(4, caller).stream().mapToLong(Integer::longValue).sum();

    assertThat(DATABASE.number("select count(*) from task")).isEqualTo(left);
    assertThat(tasks.quota(QUEUE.handler())).hasValue(new AdmissionQuota(50, left));
    assertThat(left).isLessThanOrEqualTo(50);
    tasks.setQuota(QUEUE.handler(), null);
  }

  @Test
  void counting_the_tasks_of_a_handler_waits_for_nobody_who_counts_one() throws Exception {
    tasks.setQuota(QUEUE.handler(), 50L);
    insert(newTask(), false);

    during(
        "update task_handler set unfinished = unfinished + 1",
        () -> {
          tasks.recountQuotas();
          return true;
        });
    assertThat(tasks.quota(QUEUE.handler())).hasValue(new AdmissionQuota(50, 2));

    tasks.recountQuotas();
    assertThat(tasks.quota(QUEUE.handler())).hasValue(new AdmissionQuota(50, 1));
  }

  @Test
  void a_quota_is_counted_while_tasks_of_the_handler_come_and_go() throws Exception {
    TaskHandler handler = QUEUE.handler();
    tasks.setQuota(handler, 50L);
    insert(newTask(), false);

    Optional<AdmissionQuota> quota =
        DATABASE.blockedBehind(
            sql("lock table task_key in access exclusive mode"), // which it reads to count
            () -> {
              tasks.setQuota(handler, 60L);
              return tasks.quota(handler);
            },
            () -> DATABASE.execute("update task_handler set unfinished = unfinished"));

    assertThat(quota).hasValue(new AdmissionQuota(60, 1));
  }

  @Test
  void counting_the_tasks_of_a_handler_may_take_longer_than_another_statement() throws Exception {
    TaskHandler handler = QUEUE.handler();
    insert(newTask(), false);

    try (PostgresStores hurried =
        PostgresStores.open(config(DATABASE.config().poolSize(), Duration.ofSeconds(3)))) {
      DATABASE.blockedBehind(
          sql("lock table task_key in access exclusive mode"), // which it reads to count
          () -> {
            hurried.tasks().setQuota(handler, 60L);
            return true;
          },
          () -> DATABASE.execute("select pg_sleep(3.2)"));
    }

    assertThat(tasks.quota(handler)).hasValue(new AdmissionQuota(60, 1));
  }

  @Test
  void who_changes_a_handler_finds_what_another_has_just_changed() throws Exception {
    TaskHandler handler = QUEUE.handler();
    RetryPolicy retry = new RetryPolicy(9, Duration.ofSeconds(1), 2, Duration.ofSeconds(9));

    StoredHandlerSettings settings =
        DATABASE.blockedBehind(
            connection ->
                HandlerRows.change(
                    connection,
                    handler,
                    before ->
                        new StoredHandlerSettings(
                            retry, before.maxUnfinished(), before.keyPolicy())),
            () ->
                tasks.changeHandler(
                    handler,
                    before ->
                        new StoredHandlerSettings(before.retryPolicy(), 7L, before.keyPolicy())));

    assertThat(settings).isEqualTo(new StoredHandlerSettings(retry, 7L, OrderingKeyPolicy.DEFAULT));
    assertThat(tasks.settings(handler)).isEqualTo(settings);
  }

  private static InsertRequest plain(NewTask task) {
    return new InsertRequest(List.of(ArrivingTask.withoutIdempotency(task, false)));
  }

  private static InsertRequest keyed(NewTask task, String key) {
    return new InsertRequest(
        List.of(
            new ArrivingTask(
                task,
                false,
                new TaskIdempotency(key, new TaskIdempotency.Window.Forever(), OnConflict.KEEP))));
  }

  @Test
  void nodes_that_name_a_queue_at_once_give_it_one_number() throws Exception {
    List<QueueName> names = new ArrayList<>();
    for (int priority = 0; priority < 50; priority++) {
      names.add(new QueueName(new HandlerName("new"), priority));
    }
    Callable<Map<QueueName, QueueId>> node =
        () -> {
          List<QueueName> shuffled = new ArrayList<>(names);
          Collections.shuffle(shuffled);
          return tasks.queues(shuffled);
        };

    List<Map<QueueName, QueueId>> numbers = inParallel(4, node);

    assertThat(numbers.getFirst()).containsOnlyKeys(names);
    assertThat(numbers).containsOnly(numbers.getFirst());
  }

  private static String lease(FencedTask task) {
    return "update task set next_trigger = next_trigger + 1 where id = '" + task.id() + "'";
  }

  private static <T> T during(String first, Callable<T> second) throws Exception {
    return DATABASE.during(sql(first), second);
  }

  private static <T> T blockedBehind(String first, Callable<T> second) throws Exception {
    return DATABASE.blockedBehind(sql(first), second);
  }

  private static NewTask newTask() {
    return newTask(queue);
  }

  private static NewTask newTask(QueueId of) {
    return ordered(of, null);
  }

  private static NewTask ordered(QueueId of, @Nullable String key) {
    long n = LAST_ID.incrementAndGet();
    return new NewTask(
        TaskId.at(n, 0, n),
        of,
        1_000 + n,
        TaskDetails.of(new byte[0])
            .withRetryPolicy(RetryPolicy.DEFAULT)
            .withKey(key == null ? null : new OrderingKey(key)),
        null);
  }

  private static InsertResult insert(NewTask task, boolean onQueue) {
    InsertRequest request =
        new InsertRequest(List.of(ArrivingTask.withoutIdempotency(task, onQueue)));
    return tasks.insert(NODE, List.of(request), LEASE).getFirst();
  }

  private static TaskId waiting() {
    NewTask task = newTask();
    insert(task, false);
    return task.id();
  }

  private static FencedTask enqueued() {
    NewTask task = newTask();
    insert(task, true);
    return new FencedTask(task.id(), 1);
  }

  private static TaskClaim enqueued(NewTask task) {
    TaskReceipt receipt = ((InsertResult.Stored) insert(task, true)).receipts().getFirst();
    return new TaskClaim(new FencedTask(task.id(), 1), task.queue(), "worker", receipt.keyId());
  }

  private static FencedTask processing() {
    return processing(newTask());
  }

  private static FencedTask processing(NewTask task) {
    TaskClaim claim = enqueued(task);
    assertThat(tasks.claim(List.of(claim), LEASE).claimed()).hasSize(1);
    return claim.enqueued().next();
  }

  private static Set<FencedTask> claim(FencedTask enqueued) {
    return tasks.claim(List.of(new TaskClaim(enqueued, queue, "worker", null)), LEASE).claimed();
  }

  private static TaskState state(TaskId task) {
    return tasks.find(task).orElseThrow().state();
  }

  private static Settlement retry(FencedTask task) {
    return new Settlement.Retry(task, Duration.ofMinutes(1), "again");
  }

  private static Settlement succeed(FencedTask task) {
    return finish(task, TaskState.SUCCEEDED);
  }

  private static Settlement finish(FencedTask task, TaskState state) {
    return new Settlement.Finish(task, state, "");
  }
}
