package io.kairos.postgres.task;

import static io.kairos.postgres.TestDatabase.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.FollowedEnds;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskStepStore;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ends, cancels and redrives of tasks that wait for each other, on several nodes at once. */
final class TaskGraphConcurrencyTest {
  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final AtomicLong LAST_ID = new AtomicLong();
  private static final int NODES = 6;

  private static PostgresStores stores;
  private static TaskStore tasks;
  private static QueueId queue;

  @BeforeAll
  static void open() {
    stores = DATABASE.open();
    tasks = stores.tasks();
    queue =
        tasks.queues(List.of(new QueueName(new HandlerName("h"), 50))).values().iterator().next();
  }

  @AfterAll
  static void close() {
    stores.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.execute("truncate task, finished_task, task_error, task_edge, task_await, task_ended");
  }

  private static NewTask newTask() {
    long n = LAST_ID.incrementAndGet();
    return new NewTask(TaskId.at(n, 0, n), queue, 1_000 + n, TaskDetails.of(new byte[] {1}), null);
  }

  private static void store(List<NewTask> some, List<GraphEdge> edges) {
    store(some, edges, true);
  }

  private static void store(List<NewTask> some, List<GraphEdge> edges, boolean onQueue) {
    List<ArrivingTask> arriving =
        some.stream().map(task -> ArrivingTask.withoutIdempotency(task, onQueue)).toList();
    assertThat(tasks.insert(NODE, List.of(new InsertRequest(arriving, edges)), LEASE).getFirst())
        .isInstanceOf(InsertResult.Stored.class);
  }

  private static List<FencedTask> processing(int count) {
    List<NewTask> some = IntStream.range(0, count).mapToObj(_ -> newTask()).toList();
    store(some, List.of());
    List<TaskClaim> claims =
        some.stream()
            .map(task -> new TaskClaim(new FencedTask(task.id(), 1), queue, "worker", null))
            .toList();
    assertThat(tasks.claim(claims, LEASE).claimed()).hasSize(count);
    return claims.stream().map(claim -> claim.enqueued().next()).toList();
  }

  private static Settlement finish(FencedTask task, TaskState state) {
    return new Settlement.Finish(task, state, "");
  }

  private static void inParallel(List<? extends Runnable> work) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      work.forEach(one -> running.add(threads.submit(one)));
      for (Future<?> one : running) {
        one.get();
      }
    }
  }

  @Test
  void of_predecessors_that_end_at_once_on_many_nodes_one_readies_each_successor()
      throws Exception {
    int width = 20;
    for (int round = 0; round < 10; round++) {
      List<FencedTask> first = processing(width * NODES);
      List<NewTask> joins = IntStream.range(0, 5).mapToObj(_ -> newTask()).toList();
      List<GraphEdge> edges = new ArrayList<>();
      for (NewTask join : joins) {
        first.forEach(one -> edges.add(new GraphEdge(one.id(), join.id(), OnFailure.FAIL)));
      }
      store(joins, edges);

      List<Runnable> ends = new ArrayList<>();
      for (int node = 0; node < NODES; node++) {
        List<FencedTask> own = first.subList(node * width, (node + 1) * width);
        ends.add(() ->
            assertThat(
                    tasks
                        .settle(own.stream().map(one -> finish(one, TaskState.SUCCEEDED)).toList())
                        .tasks())
                .hasSize(width));
      }
      inParallel(ends);

      assertThat(tasks.followEnds(1_000)).isZero();
      joins.forEach(join -> assertThat(state(join.id())).isEqualTo(TaskState.NEW));
    }
  }

  private static TaskState state(TaskId id) {
    return tasks.find(id).orElseThrow().state();
  }

  @Test
  void a_task_waits_for_more_predecessors_than_one_statement_takes() {
    int many = 10_500;
    List<NewTask> all = IntStream.range(0, many).mapToObj(_ -> newTask()).toList();
    for (int from = 0; from < many; from += 1_500) {
      store(all.subList(from, from + 1_500), List.of());
    }
    NewTask join = newTask();

    store(
        List.of(join),
        all.stream().map(one -> new GraphEdge(one.id(), join.id(), OnFailure.FAIL)).toList());

    assertThat(state(join.id())).isEqualTo(TaskState.AWAITING);
    assertThat(DATABASE.number("select open from task_await")).isEqualTo(many);
    assertThat(DATABASE.number("select count(*) from task_edge where open")).isEqualTo(many);
    assertThat(DATABASE.number("select count(*) from task where has_successors")).isEqualTo(many);
  }

  @Test
  void an_edge_that_is_added_while_its_predecessor_ends_is_not_lost() throws Exception {
    for (int round = 0; round < 40; round++) {
      FencedTask first = processing(1).getFirst();
      NewTask second = newTask();
      inParallel(
          List.<Runnable>of(
              () -> tasks.settle(List.of(finish(first, TaskState.SUCCEEDED))),
              () ->
                  store(
                      List.of(second),
                      List.of(new GraphEdge(first.id(), second.id(), OnFailure.FAIL)))));

      assertThat(state(second.id())).isIn(TaskState.NEW, TaskState.ENQUEUED);
    }
  }

  @Test
  void a_cancel_of_the_successor_meets_the_end_of_its_predecessor() throws Exception {
    for (int round = 0; round < 40; round++) {
      FencedTask first = processing(1).getFirst();
      NewTask second = newTask();
      store(List.of(second), List.of(new GraphEdge(first.id(), second.id(), OnFailure.FAIL)));
      inParallel(
          List.<Runnable>of(
              () -> tasks.settle(List.of(finish(first, TaskState.SUCCEEDED))),
              () -> assertThat(tasks.cancel(second.id())).isEqualTo(CancelResult.CANCELLED)));
      followAll();

      assertThat(state(second.id())).isEqualTo(TaskState.CANCELLED);
      assertThat(DATABASE.number("select count(*) from task_await")).isZero();
    }
  }

  private static void followAll() {
    while (tasks.followEnds(1_000) > 0) {
      // until nothing is left
    }
  }

  @Test
  void a_locked_successor_is_readied_later() throws Exception {
    FencedTask first = processing(1).getFirst();
    NewTask second = newTask();
    store(List.of(second), List.of(new GraphEdge(first.id(), second.id(), OnFailure.FAIL)));

    DATABASE.during(
        sql("update task set due_at = due_at where id = '" + second.id() + "'"),
        () -> tasks.settle(List.of(finish(first, TaskState.SUCCEEDED))));
    assertThat(state(second.id())).isEqualTo(TaskState.AWAITING);

    assertThat(tasks.followEnds(10)).isEqualTo(1);
    assertThat(state(second.id())).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_successor_whose_key_an_application_has_locked_does_not_hold_up_those_of_later_ends()
      throws Exception {
    List<FencedTask> first = processing(2);
    NewTask locked = lockable();
    NewTask other = newTask();
    store(
        List.of(locked, other),
        List.of(
            new GraphEdge(first.getFirst().id(), locked.id(), OnFailure.FAIL),
            new GraphEdge(first.getLast().id(), other.id(), OnFailure.FAIL)));
    tasks.settle(first.stream().map(one -> finish(one, TaskState.FAILED)).toList());

    DATABASE.during(
        sql("select from task_key for update"),
        () -> {
          assertThatThrownBy(() -> tasks.followEnds(10)).isInstanceOf(StoreUnavailable.class);
          return null;
        });

    assertThat(state(locked.id())).isEqualTo(TaskState.AWAITING);
    assertThat(state(other.id())).isEqualTo(TaskState.FAILED);
    followAll();
    assertThat(state(locked.id())).isEqualTo(TaskState.FAILED);
  }

  /** A task with an ordering key. */
  private static NewTask lockable() {
    TaskDetails keyed = TaskDetails.of(new byte[] {1}).withKey(new OrderingKey("locked"));
    long n = LAST_ID.incrementAndGet();
    return new NewTask(TaskId.at(n, 0, n), queue, 1_000 + n, keyed, null);
  }

  @Test
  void ends_that_cannot_be_followed_do_not_hold_up_those_of_the_next_round() throws Exception {
    List<FencedTask> first = processing(2);
    NewTask locked = lockable();
    NewTask other = newTask();
    store(
        List.of(locked, other),
        List.of(
            new GraphEdge(first.getFirst().id(), locked.id(), OnFailure.FAIL),
            new GraphEdge(first.getLast().id(), other.id(), OnFailure.FAIL)));
    tasks.settle(first.stream().map(one -> finish(one, TaskState.FAILED)).toList());

    DATABASE.during(
        sql("select from task_key for update"),
        () -> {
          FollowedEnds blocked = tasks.followEnds(Optional.empty(), 1);
          assertThat(blocked.failure()).isNotNull();
          assertThat(blocked.found()).isZero();
          assertThat(blocked.last()).isEqualTo(first.getFirst().id());
          assertThat(tasks.followEnds(Optional.ofNullable(blocked.last()), 1))
              .isEqualTo(new FollowedEnds(first.getLast().id(), 1, null));
          return null;
        });

    assertThat(state(other.id())).isEqualTo(TaskState.FAILED);
  }

  @Test
  void a_late_task_that_cannot_be_readied_does_not_hold_up_ends() throws Exception {
    List<FencedTask> first = processing(2);
    QueueName name = new QueueName(new HandlerName("fair"), 50);
    QueueId fair = tasks.queues(List.of(name)).values().iterator().next();
    long n = LAST_ID.incrementAndGet();
    TaskDetails ofTenant = TaskDetails.of(new byte[] {1}).withFairness(new Fairness("acme", 1));
    NewTask late = new NewTask(TaskId.at(n, 0, n), fair, 1_000 + n, ofTenant, null);
    NewTask other = newTask();
    store(
        List.of(late, other),
        List.of(
            new GraphEdge(first.getFirst().id(), late.id(), OnFailure.FAIL),
            new GraphEdge(first.getLast().id(), other.id(), OnFailure.FAIL)));
    DATABASE.during(
        sql("update task set due_at = due_at where id = '" + late.id() + "'"),
        () -> tasks.settle(List.of(finish(first.getFirst(), TaskState.SUCCEEDED))));
    tasks.settle(List.of(finish(first.getLast(), TaskState.FAILED)));
    DATABASE.execute(
        "insert into task_share select queue_id, fairness_key, next_trigger, id, 1 from task where id = '"
            + late.id()
            + "'");

    assertThatThrownBy(() -> tasks.followEnds(10)).isInstanceOf(StoreUnavailable.class);

    assertThat(state(other.id())).isEqualTo(TaskState.FAILED);
    DATABASE.execute("delete from task_share");
    followAll();
    assertThat(state(late.id())).isEqualTo(TaskState.NEW);
  }

  @Test
  void the_walk_over_many_successors_goes_on_and_comes_back_to_those_that_were_locked()
      throws Exception {
    FencedTask first = processing(1).getFirst();
    List<NewTask> successors = IntStream.range(0, 5).mapToObj(_ -> newTask()).toList();
    store(
        successors,
        successors.stream()
            .map(one -> new GraphEdge(first.id(), one.id(), OnFailure.FAIL))
            .toList());
    tasks.settle(List.of(finish(first, TaskState.FAILED)));

    DATABASE.during(
        sql("update task set due_at = due_at where id = '" + successors.getFirst().id() + "'"),
        () -> {
          assertThat(tasks.followEnds(2)).isEqualTo(1);
          assertThat(tasks.followEnds(2)).isEqualTo(1);
          return null;
        });
    assertThat(successors)
        .extracting(one -> state(one.id()))
        .containsExactly(
            TaskState.AWAITING,
            TaskState.FAILED,
            TaskState.FAILED,
            TaskState.FAILED,
            TaskState.AWAITING);
    assertThat(
            DATABASE.number(
                "select count(*) from task_ended where followed_to = '"
                    + successors.get(3).id()
                    + "'"))
        .isEqualTo(1);

    followAll();
    successors.forEach(one -> assertThat(state(one.id())).isEqualTo(TaskState.FAILED));
    assertThat(DATABASE.number("select count(*) from task_ended")).isZero();
  }

  @Test
  void a_success_readies_more_than_one_transaction_may_and_those_that_were_locked()
      throws Exception {
    FencedTask first = processing(1).getFirst();
    List<NewTask> successors = storeBehind(first, TaskStepStore.MOST_READY_AT_ONCE + 7);
    TaskId edgeLocked = successors.getFirst().id();
    TaskId locked = successors.get(1).id();

    DATABASE.during(
        connection -> {
          sql("select from task_edge where successor = '" + edgeLocked + "' for update")
              .on(connection);
          return sql("update task set due_at = due_at where id = '" + locked + "'").on(connection);
        },
        () -> {
          tasks.settle(List.of(finish(first, TaskState.SUCCEEDED)));
          for (int page = 0; page < 5; page++) {
            tasks.followEnds(2);
          }
          return null;
        });
    assertThat(DATABASE.number("select count(*) from task where state = 'A'")).isEqualTo(2);

    followAll();
    assertThat(DATABASE.number("select count(*) from task where state = 'N'"))
        .isEqualTo(successors.size());
    assertThat(DATABASE.number("select count(*) from task_await")).isZero();
    assertThat(DATABASE.number("select count(*) from task_ended")).isZero();
  }

  /** Successors that fail with the task, in the order of their ids. */
  private static List<NewTask> storeBehind(FencedTask first, int count) {
    List<NewTask> successors = IntStream.range(0, count).mapToObj(_ -> newTask()).toList();
    storeBehind(first, successors);
    return successors;
  }

  private static void storeBehind(FencedTask first, List<NewTask> successors) {
    store(
        successors,
        successors.stream()
            .map(one -> new GraphEdge(first.id(), one.id(), OnFailure.FAIL))
            .toList());
  }

  private static List<TaskState> states(List<NewTask> some) {
    return some.stream().map(one -> state(one.id())).toList();
  }

  private static long followedTo(NewTask upTo) {
    return DATABASE.number(
        "select count(*) from task_ended where followed_to = '" + upTo.id() + "'");
  }

  @Test
  void edges_that_are_added_on_both_sides_of_where_the_walk_has_come_are_not_lost() {
    FencedTask first = processing(1).getFirst();
    NewTask passed = newTask();
    List<NewTask> successors = storeBehind(first, 3);
    tasks.settle(List.of(finish(first, TaskState.FAILED)));
    assertThat(tasks.followEnds(2)).isEqualTo(1);
    assertThat(followedTo(successors.get(1))).isEqualTo(1);

    NewTask ahead = newTask();
    storeBehind(first, List.of(passed, ahead));
    assertThat(followedTo(successors.get(1))).as("goes on").isEqualTo(1);
    followAll();

    assertThat(states(List.of(passed, ahead))).containsOnly(TaskState.FAILED);
    assertThat(states(successors)).containsOnly(TaskState.FAILED);
    assertThat(DATABASE.number("select count(*) from task_ended")).isZero();
  }

  private static void redrive(TaskId... ids) {
    RedriveRequest request =
        new RedriveRequest(new RedriveRequest.Ids(List.of(ids)), null, Duration.ZERO, ids.length);
    assertThat(tasks.redrive(request).count()).isEqualTo(ids.length);
  }

  /** Has a worker perform the only task that is ready. */
  private static void performAnew(FencedTask task, TaskState end) {
    List<FencedTask> begun = begin(NODE, Map.of());
    assertThat(begun).extracting(FencedTask::id).containsExactly(task.id());
    tasks.settle(List.of(finish(begun.getFirst(), end)));
  }

  @Test
  void a_second_end_reaches_also_those_that_the_first_one_had_been_told_to() {
    FencedTask first = processing(1).getFirst();
    List<NewTask> successors = storeBehind(first, 5);
    tasks.settle(List.of(finish(first, TaskState.FAILED)));
    assertThat(tasks.followEnds(2)).isEqualTo(1);
    redrive(first.id());
    redrive(successors.get(0).id(), successors.get(1).id());
    assertThat(states(successors)).containsOnly(TaskState.AWAITING);

    performAnew(first, TaskState.FAILED);
    assertThat(followedTo(successors.get(1))).isEqualTo(1);
    followAll();

    assertThat(states(successors)).containsOnly(TaskState.FAILED);
    assertThat(DATABASE.number("select count(*) from task_ended")).isZero();
  }

  /** Between the two transactions by which a node tells of an end. */
  @Test
  void a_task_that_is_put_back_while_its_end_is_told_does_not_reach_those_that_are_left()
      throws Exception {
    FencedTask first = processing(1).getFirst();
    List<NewTask> successors = storeBehind(first, 5);
    tasks.settle(List.of(finish(first, TaskState.FAILED)));
    assertThat(tasks.followEnds(2)).isEqualTo(1);
    DATABASE.execute(
        """
        create function waits_before_commit() returns trigger language plpgsql as $$
          begin
            perform set_config('lock_timeout', '0', true);
            perform pg_advisory_xact_lock(42);
            return null;
          end $$;
        create constraint trigger waits after insert on finished_task deferrable initially deferred
          for each row execute function waits_before_commit()
        """);
    try {
      FollowedEnds followed =
          DATABASE.blockedBehind(
              sql("select pg_advisory_xact_lock(42)"),
              () -> tasks.followEnds(Optional.empty(), 2),
              () -> redrive(first.id()));
      assertThat(followed.failure()).isNull();
      assertThat(followed.found()).isZero();
    } finally {
      DATABASE.execute("drop function waits_before_commit cascade");
    }
    followAll();
    assertThat(states(successors))
        .containsExactly(
            TaskState.FAILED,
            TaskState.FAILED,
            TaskState.FAILED,
            TaskState.FAILED,
            TaskState.AWAITING);
    assertThat(DATABASE.number("select count(*) from task_ended")).isZero();

    performAnew(first, TaskState.SUCCEEDED);
    followAll();
    redriveAll();
    assertThat(states(successors)).containsOnly(TaskState.NEW);
  }

  @Test
  void an_edge_waits_for_a_peer_that_may_forget_the_end_of_its_failed_predecessor()
      throws Exception {
    FencedTask first = processing(1).getFirst();
    NewTask second = newTask();
    tasks.settle(List.of(finish(first, TaskState.FAILED)));
    DATABASE.execute("insert into task_ended values ('" + first.id() + "')");

    DATABASE.blockedBehind(
        sql("select from task_ended for update"),
        () -> {
          store(List.of(second), List.of(new GraphEdge(first.id(), second.id(), OnFailure.FAIL)));
          return null;
        });
    followAll();

    assertThat(state(second.id())).isEqualTo(TaskState.FAILED);
  }

  /**
   * Random graphs, ended, cancelled and put back by many nodes: at the end nothing waits for ever.
   */
  @Test
  void whatever_happens_at_once_every_task_ends_and_none_begins_too_soon() throws Exception {
    Random random = new Random(17);
    List<NewTask> members = IntStream.range(0, 150).mapToObj(_ -> newTask()).toList();
    List<GraphEdge> edges = new ArrayList<>();
    Map<TaskId, List<GraphEdge>> before = new TreeMap<>();
    for (int to = 1; to < members.size(); to++) {
      Set<Integer> from = new TreeSet<>();
      int many = random.nextInt(4);
      for (int i = 0; i < many; i++) {
        from.add(random.nextInt(to));
      }
      for (int one : from) {
        OnFailure onFailure = OnFailure.values()[random.nextInt(3)];
        GraphEdge edge = new GraphEdge(members.get(one).id(), members.get(to).id(), onFailure);
        edges.add(edge);
        before.computeIfAbsent(edge.successor(), _ -> new ArrayList<>()).add(edge);
      }
    }
    store(members, edges, false);

    List<Runnable> nodes = new ArrayList<>();
    for (int n = 0; n < NODES; n++) {
      NodeId node = new NodeId(new UUID(9, n));
      long seed = n;
      nodes.add(() -> work(node, new Random(seed), before));
    }
    inParallel(nodes);
    followAll();
    redriveAll();
    drain(before);

    assertThat(DATABASE.number("select count(*) from task")).isZero();
    assertThat(DATABASE.number("select count(*) from task_await")).isZero();
    assertThat(DATABASE.number("select count(*) from task_ended")).isZero();
  }

  /** Puts failed tasks back and has all succeed, until nothing is left to do. */
  private static void drain(Map<TaskId, List<GraphEdge>> before) {
    for (int round = 0; round < 300; round++) {
      followAll();
      List<FencedTask> begun = begin(new NodeId(new UUID(9, 9)), before);
      tasks.settle(begun.stream().map(one -> finish(one, TaskState.SUCCEEDED)).toList());
      if (begun.isEmpty() && redriveAll() == 0) {
        return;
      }
    }
  }

  private static int redriveAll() {
    return tasks
        .redrive(
            new RedriveRequest(
                new RedriveRequest.Filter(null, RedriveRequest.REDRIVABLE, null, "", null),
                null,
                Duration.ZERO,
                1_000))
        .count();
  }

  private static void work(NodeId node, Random random, Map<TaskId, List<GraphEdge>> before) {
    for (int round = 0; round < 40; round++) {
      try {
        List<FencedTask> begun = begin(node, before);
        List<Settlement> ends = new ArrayList<>();
        for (FencedTask task : begun) {
          TaskState end =
              switch (random.nextInt(8)) {
                case 0 -> TaskState.FAILED;
                case 1 -> TaskState.DEAD;
                case 2 -> TaskState.CANCELLED;
                default -> TaskState.SUCCEEDED;
              };
          ends.add(finish(task, end));
        }
        tasks.settle(ends);
        if (random.nextInt(3) == 0) {
          tasks.followEnds(2);
        }
        if (random.nextInt(6) == 0) {
          redriveAll();
        }
        if (random.nextInt(6) == 0) {
          before.keySet().stream()
              .skip(random.nextInt(before.size()))
              .findFirst()
              .ifPresent(tasks::cancel);
        }
        if (random.nextInt(6) == 0) {
          tasks.sweepEdges(Optional.empty(), 1_000);
        }
      } catch (StoreUnavailable e) {
        assertThat(e).as("deadlocks are not to happen").isNull();
      }
    }
  }

  private static List<FencedTask> begin(NodeId node, Map<TaskId, List<GraphEdge>> before) {
    List<TaskClaim> claims =
        tasks
            .enqueue(new EnqueueRequest(node, Map.of(queue, 5), 1 << 20, Duration.ZERO, LEASE))
            .stream()
            .map(one -> new TaskClaim(one.task(), queue, "worker", null))
            .toList();
    List<FencedTask> begun =
        tasks.claim(claims, LEASE).claimed().stream().map(FencedTask::next).toList();
    for (FencedTask task : begun) {
      for (GraphEdge edge : before.getOrDefault(task.id(), List.of())) {
        if (edge.onFailure() != OnFailure.CONTINUE) {
          assertThat(tasks.find(edge.predecessor()).orElseThrow().state())
              .as(edge.toString())
              .isEqualTo(TaskState.SUCCEEDED);
        }
      }
    }
    return begun;
  }
}
