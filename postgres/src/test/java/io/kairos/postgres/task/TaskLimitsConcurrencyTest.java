package io.kairos.postgres.task;

import static io.kairos.postgres.TestDatabase.sql;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SweptLimits;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.KeyLimitChange;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims and ends of tasks that name limits, and changes of limits, on several nodes at once. */
final class TaskLimitsConcurrencyTest {
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final QueueName QUEUE = new QueueName(new HandlerName("limited"), 50);
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final AtomicLong LAST_ID = new AtomicLong();
  private static final int NODES = 4;
  private static final int TASKS = 100;

  /** So long no attempt ends only if those that wait hold up each other. */
  private static final Duration STALLED = Duration.ofSeconds(60);

  private static final String OLD_NODE =
      """
      insert into node (id, enrolled_at, renewed_at, lapse, schema_known)
      values (gen_random_uuid(), clock_timestamp(), clock_timestamp(), interval '1 minute', 23)
      """;

  /** Limited names under which, in one snapshot, not as many tasks run as are counted. */
  private static final String MISCOUNTED =
      """
      select count(*) from key_use u
      where u.running <> (
        select count(*) from task t where t.state = 'P' and u.name = any (string_to_array(t.limits, ',')))
      """;

  private static PostgresStores stores;
  private static TaskStore tasks;
  private static QueueId queue = new QueueId(0);

  @BeforeAll
  static void open() {
    stores = DATABASE.open();
    tasks = stores.tasks();
    queue = queue(QUEUE);
  }

  private static QueueId queue(QueueName name) {
    return requireNonNull(tasks.queues(List.of(name)).get(name));
  }

  @AfterAll
  static void close() {
    stores.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.execute("truncate task, finished_task, key_limit, key_use, key_wait, task_pause");
  }

  private static NodeId node(int number) {
    return new NodeId(new UUID(number + 1, 1));
  }

  private static EnqueuedTask enqueued(String... limits) {
    long number = LAST_ID.incrementAndGet();
    NewTask task =
        new NewTask(
            TaskId.at(1_767_225_600_000L + number, 0, number << 2),
            queue,
            1_000_000 + number,
            TaskDetails.of(new byte[] {1}).withLimits(TaskLimits.of(Arrays.asList(limits))),
            null);
    tasks.insert(
        node(0),
        List.of(new InsertRequest(List.of(ArrivingTask.withoutIdempotency(task, true)))),
        TIMEOUT);
    return EnqueuedTask.of(task, null);
  }

  private static TaskClaim claim(EnqueuedTask task) {
    return new TaskClaim(task.task(), queue, "worker", null, null, true);
  }

  private static void limit(String name, int most) {
    assertThat(tasks.setKeyLimit(new LimitPattern(name), new TaskQueueLimit(most, null, null)))
        .isInstanceOf(KeyLimitChange.Done.class);
  }

  @Test
  void claims_of_one_limit_take_turns() throws Exception {
    EnqueuedTask one = enqueued("api");
    EnqueuedTask two = enqueued("api");
    limit("api", 1);

    Set<FencedTask> second =
        DATABASE.blockedBehind(
            connection -> KeyedClaims.run(connection, List.of(claim(one)), Set.of(queue), LEASE),
            () -> tasks.claim(List.of(claim(two)), LEASE).claimed());

    assertThat(second).isEmpty();
    assertThat(tasks.keyLimits().getFirst().running()).isEqualTo(1);
    assertThat(tasks.keyLimits().getFirst().waiting()).isEqualTo(1);
  }

  @Test
  void a_limit_that_is_set_waits_for_claims_that_have_not_seen_it_and_counts_them()
      throws Exception {
    EnqueuedTask one = enqueued("api");
    EnqueuedTask two = enqueued("api");

    DATABASE.blockedBehind(
        connection -> KeyedClaims.run(connection, List.of(claim(one)), Set.of(queue), LEASE),
        () -> {
          limit("api", 1);
          return true;
        });

    assertThat(tasks.keyLimits().getFirst().running()).isEqualTo(1);
    assertThat(tasks.claim(List.of(claim(two)), LEASE).claimed()).isEmpty();
    tasks.settle(List.of(new Settlement.Finish(one.task().next(), TaskState.SUCCEEDED, "")));
    assertThat(tasks.keyLimits().getFirst().running()).isZero();
  }

  @Test
  void a_claim_that_is_killed_before_it_commits_takes_no_place() throws Exception {
    EnqueuedTask one = enqueued("api");
    limit("api", 1);

    try (Connection connection = DATABASE.connect()) {
      connection.setAutoCommit(false);
      assertThat(KeyedClaims.run(connection, List.of(claim(one)), Set.of(queue), LEASE).claimed())
          .hasSize(1);
    } // closed without a commit

    assertThat(tasks.claim(List.of(claim(one)), LEASE).claimed()).hasSize(1);
  }

  /**
   * Nodes claim and end tasks that name three limits in all orders, while an operator changes a
   * limit, pauses and resumes. The store is asked after each claim how many run of each name, and
   * in between whether as many are counted.
   */
  @Test
  void many_nodes_exceed_no_limit_and_lock_each_other_never_for_good() throws Exception {
    Map<String, Integer> limits = Map.of("a", 2, "b", 3, "c:1", 1, "c:2", 1);
    limit("a", 2);
    limit("b", 3);
    limit("c:*", 1);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < TASKS; i++) {
      List<String> names = new ArrayList<>(List.of("a", "b", random.nextBoolean() ? "c:1" : "c:2"));
      names.remove(random.nextInt(4) == 0 ? random.nextInt(3) : 0);
      tasks.release(List.of(enqueued(names.toArray(String[]::new)).task()), TIMEOUT);
    }
    AtomicInteger left = new AtomicInteger(TASKS);
    AtomicLong lastEnd = new AtomicLong(System.nanoTime());
    try (ExecutorService nodes = Executors.newFixedThreadPool(NODES)) {
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        int number = i;
        runs.add(nodes.submit(() -> work(number, left, lastEnd, limits)));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    }
    assertThat(left).hasValue(0);
    assertThat(tasks.keyLimits()).allSatisfy(use -> assertThat(use.running()).isZero());
  }

  private static void work(
      int number, AtomicInteger left, AtomicLong lastEnd, Map<String, Integer> limits) {
    SplittableRandom random = new SplittableRandom(number);
    List<FencedTask> running = new ArrayList<>();
    while (left.get() > 0 && System.nanoTime() - lastEnd.get() < STALLED.toNanos()) {
      List<EnqueuedTask> due =
          tasks.enqueue(
              new EnqueueRequest(node(number), Map.of(queue, 10), 1 << 20, Duration.ZERO, TIMEOUT));
      if (!due.isEmpty()) {
        Set<FencedTask> claimed =
            tasks
                .claim(due.stream().map(TaskLimitsConcurrencyTest::claim).toList(), LEASE)
                .claimed();
        claimed.forEach(task -> running.add(task.next()));
        limits.forEach((name, most) -> assertThat(performed(name)).isLessThanOrEqualTo(most));
      } else if (running.isEmpty()) {
        tasks.sweepLimits(null, Set.of(), 100);
      }
      meddle(random.nextInt(40));
      List<Settlement> ends = new ArrayList<>();
      running.removeIf(task -> {
        if (random.nextInt(3) > 0) {
          return false;
        }
        boolean again = random.nextInt(5) == 0;
        ends.add(
            again
                ? new Settlement.Retry(task, Duration.ZERO, "again")
                : new Settlement.Finish(task, TaskState.SUCCEEDED, ""));
        left.addAndGet(again ? 0 : -1);
        lastEnd.set(System.nanoTime());
        return true;
      });
      assertThat(tasks.settle(ends).tasks()).hasSize(ends.size());
    }
  }

  private static void meddle(int what) {
    switch (what) {
      case 0, 1 -> limit("a", 1 + what);
      case 2 ->
          tasks.setPause(new TaskPause(QUEUE.handler(), null, TaskPause.Mode.PAUSE, null, ""));
      case 3, 4, 5 -> tasks.endPause(QUEUE.handler(), null);
      case 6 -> tasks.recountLimits();
      default -> assertThat(DATABASE.number(MISCOUNTED)).isZero();
    }
  }

  @Test
  void a_count_that_is_wrong_is_corrected_and_a_name_forgotten_that_nobody_uses() {
    limit("api", 2);
    DATABASE.execute(
        "insert into key_use (name, running) values ('api', 2), ('gone', 3), ('idle', 0)");

    tasks.recountLimits();
    assertThat(tasks.keyLimits().getFirst().running()).isZero();
    tasks.recountLimits();

    assertThat(DATABASE.number("select count(*) from key_use")).isZero();
  }

  @Test
  void a_name_whose_use_is_locked_holds_up_only_the_names_of_its_part() throws Exception {
    limit("n*", 1);
    DATABASE.execute("insert into key_use (name) values ('n10')");
    DATABASE.execute(
        "insert into key_wait (task_id, name, due, woken_at)"
            + " select gen_random_uuid(), 'n' || n, 1, 1 from generate_series(10, 69) n");

    SweptLimits part =
        DATABASE.during(
            sql("select from key_use for update"), () -> tasks.sweepLimits(null, Set.of(), 100));
    SweptLimits rest = tasks.sweepLimits(part.last(), Set.of(), 100);

    assertThat(part.failure()).isNotNull();
    assertThat(part.last()).isEqualTo(new LimitName("n59"));
    assertThat(rest.takenOut()).isEqualTo(10);
    assertThat(rest.last()).isNull();
  }

  /** A sweep locks all of its names in one transaction, so what it looks at is bounded over all. */
  @Test
  void lines_of_many_names_full_of_unserved_tasks_are_cleared_in_bounded_rounds() {
    QueueName name = new QueueName(new HandlerName("away"), 50);
    QueueId away = queue(name);
    limit("n*", 0);
    for (int n = 10; n < 60; n++) {
      wait(away, "n" + n, 60);
      wait(queue, "n" + n, 1);
    }
    limit("n*", 1);

    int takenOut = 0;
    int woken = 0;
    int rounds = 0;
    SweptLimits swept;
    do {
      swept = tasks.sweepLimits(null, Set.of(away), 100);
      assertThat(swept.failure()).isNull();
      assertThat(swept.takenOut()).isLessThanOrEqualTo(2_200);
      assertThat(swept.queues()).doesNotContain(away);
      takenOut += swept.takenOut();
      woken += swept.woken();
      rounds++;
    } while (swept.takenOut() > 0 && rounds < 10);

    assertThat(takenOut).isEqualTo(3_000);
    assertThat(woken).isEqualTo(50);
    assertThat(DATABASE.number("select count(*) from key_wait where woken_at is null")).isZero();
  }

  /** Lets tasks of a queue stand in the line of a limit that lets none begin. */
  private static void wait(QueueId in, String limit, int count) {
    List<ArrivingTask> arriving = new ArrayList<>();
    List<TaskClaim> claims = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long number = LAST_ID.incrementAndGet();
      NewTask task =
          new NewTask(
              TaskId.at(1_767_225_600_000L + number, 0, number << 2),
              in,
              1_000_000 + number,
              TaskDetails.of(new byte[] {1}).withLimits(TaskLimits.of(List.of(limit))),
              null);
      arriving.add(ArrivingTask.withoutIdempotency(task, true));
      claims.add(new TaskClaim(EnqueuedTask.of(task, null).task(), in, "worker", null, null, true));
    }
    tasks.insert(node(0), List.of(new InsertRequest(arriving)), TIMEOUT);
    assertThat(tasks.claim(claims, LEASE).claimed()).isEmpty();
  }

  private static long performed(String name) {
    return DATABASE.number(
        "select count(*) from task where state = 'P' and '%s' = any (string_to_array(limits, ','))"
            .formatted(name));
  }

  @Test
  void
      the_first_limit_is_refused_while_a_node_runs_that_does_not_know_them_and_then_keeps_it_out() {
    DATABASE.execute(OLD_NODE);
    assertThat(tasks.setKeyLimit(new LimitPattern("api"), new TaskQueueLimit(1, null, null)))
        .isEqualTo(new KeyLimitChange.OlderNodes(1));
    DATABASE.execute("delete from node");
    limit("api", 1);

    assertThatThrownBy(() -> DATABASE.execute(OLD_NODE)).hasStackTraceContaining("version 26");
  }
}
