package io.kairos.postgres.task;

import static io.kairos.postgres.TestDatabase.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchCounts;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.batch.BatchCreation;
import io.kairos.engine.task.port.batch.NewBatch;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import io.kairos.postgres.sql.SqlDatabase;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
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

/** Tasks of a batch that are added, ended, cancelled and put back by several nodes at once. */
final class TaskBatchConcurrencyTest {
  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final AtomicLong LAST_ID = new AtomicLong();
  private static final int NODES = 6;

  private static PostgresStores stores;
  private static TaskStore tasks;
  private static QueueName name;
  private static QueueId queue;

  @BeforeAll
  static void open() {
    stores = DATABASE.open();
    tasks = stores.tasks();
    name = new QueueName(new HandlerName("h"), 50);
    queue = tasks.queues(List.of(name)).values().iterator().next();
  }

  @AfterAll
  static void close() {
    stores.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.execute(
        "truncate task, finished_task, task_error, task_edge, task_await, task_ended, task_batch,"
            + " task_batch_member, task_batch_end");
  }

  private static TaskId newId() {
    long n = LAST_ID.incrementAndGet();
    return TaskId.at(n, 0, n);
  }

  private static BatchId newBatch() {
    BatchId id = new BatchId(newId().value());
    assertThat(tasks.createBatch(new NewBatch(id, name.handler(), null, null)))
        .isInstanceOf(BatchCreation.Stored.class);
    return id;
  }

  private static NewTask newTask(BatchId batch) {
    TaskId id = newId();
    return new NewTask(id, queue, 1_000, TaskDetails.of(new byte[] {1}), null).inBatch(batch);
  }

  private static InsertResult store(List<NewTask> some, List<GraphEdge> edges) {
    return store(some, edges, true);
  }

  private static InsertResult store(List<NewTask> some, List<GraphEdge> edges, boolean onQueue) {
    List<ArrivingTask> arriving =
        some.stream().map(task -> ArrivingTask.withoutIdempotency(task, onQueue)).toList();
    return tasks.insert(NODE, List.of(new InsertRequest(arriving, edges)), LEASE).getFirst();
  }

  private static List<FencedTask> processing(BatchId batch, int count) {
    List<NewTask> some = IntStream.range(0, count).mapToObj(_ -> newTask(batch)).toList();
    assertThat(store(some, List.of())).isInstanceOf(InsertResult.Stored.class);
    List<TaskClaim> claims =
        some.stream()
            .map(task -> new TaskClaim(new FencedTask(task.id(), 1), queue, "worker", null))
            .toList();
    assertThat(tasks.claim(claims, LEASE).claimed()).hasSize(count);
    return claims.stream().map(claim -> claim.enqueued().next()).toList();
  }

  private static TaskId behind(BatchId batch, OnFailure onFailure) {
    NewTask task = newTask(batch).inBatch(null);
    GraphEdge edge = new GraphEdge(batch.asPredecessor(), task.id(), onFailure);
    assertThat(store(List.of(task), List.of(edge))).isInstanceOf(InsertResult.Stored.class);
    return task.id();
  }

  private static Settlement finish(FencedTask task, TaskState state) {
    return new Settlement.Finish(task, state, "");
  }

  private static TaskState state(TaskId id) {
    return tasks.find(id).orElseThrow().state();
  }

  private static BatchCounts counts(BatchId id) {
    return tasks.findBatch(id).orElseThrow().counts();
  }

  private static void follow() {
    while (tasks.countBatches(1_000) + tasks.followEnds(1_000) > 0) {
      // until nothing is left
    }
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
  void ends_on_many_nodes_are_all_counted_and_tell_who_waits_once() throws Exception {
    int width = 20;
    for (int round = 0; round < 5; round++) {
      BatchId batch = newBatch();
      List<FencedTask> all = processing(batch, width * NODES);
      TaskId last = behind(batch, OnFailure.BLOCK);
      tasks.closeBatch(batch);
      List<Runnable> work = new ArrayList<>();
      for (int node = 0; node < NODES; node++) {
        List<FencedTask> own = all.subList(node * width, (node + 1) * width);
        work.add(() -> {
          for (FencedTask one : own) {
            tasks.settle(List.of(finish(one, TaskState.SUCCEEDED)));
            tasks.countBatches(7);
          }
        });
      }
      inParallel(work);

      assertThat(counts(batch)).isEqualTo(new BatchCounts(width * NODES, width * NODES, 0, 0, 0));
      follow();
      assertThat(state(last)).isEqualTo(TaskState.NEW);
      assertThat(DATABASE.number("select count(*) from task_batch_end")).isZero();
      assertThat(DATABASE.number("select count(*) from task_ended")).isZero();
    }
  }

  @Test
  void an_end_of_a_task_waits_for_nobody_who_has_locked_its_batch() throws Exception {
    BatchId batch = newBatch();
    FencedTask task = processing(batch, 1).getFirst();

    DATABASE.during(
        sql("select from task_batch for update"),
        () -> tasks.settle(List.of(finish(task, TaskState.SUCCEEDED))));

    assertThat(counts(batch)).isEqualTo(new BatchCounts(1, 1, 0, 0, 0));
  }

  @Test
  void a_batch_that_others_add_to_for_long_delays_only_those_that_join_it() throws Exception {
    BatchId locked = newBatch();
    BatchId other = newBatch();
    NewTask alone = newTask(locked).inBatch(null);
    TaskIdempotency once =
        new TaskIdempotency(
            "k", new TaskIdempotency.Window.Forever(), TaskIdempotency.OnConflict.KEEP);

    List<InsertResult> results =
        DATABASE.during(
            lock(locked),
            () ->
                tasks.insert(
                    NODE,
                    List.of(
                        request(newTask(locked)),
                        request(newTask(other)),
                        new InsertRequest(List.of(new ArrivingTask(alone, true, once)), List.of())),
                    LEASE));

    assertThat(results.getFirst()).isEqualTo(new InsertResult.Busy());
    assertThat(results.subList(1, 3)).allMatch(result -> result instanceof InsertResult.Stored);
    assertThat(counts(other).total()).isEqualTo(1);
    assertThat(counts(locked)).isEqualTo(BatchCounts.NONE);
  }

  private static InsertRequest request(NewTask task) {
    return new InsertRequest(List.of(ArrivingTask.withoutIdempotency(task, true)), List.of());
  }

  private static SqlDatabase.Work<Boolean> lock(BatchId batch) {
    return connection -> {
      try (PreparedStatement lock =
          connection.prepareStatement("select from task_batch where id = ? for no key update")) {
        lock.setObject(1, batch.value());
        return lock.execute();
      }
    };
  }

  @Test
  void a_batch_that_somebody_has_locked_delays_neither_the_counts_nor_the_ends_of_others()
      throws Exception {
    BatchId locked = newBatch();
    BatchId other = newBatch();
    List<FencedTask> some =
        List.of(processing(locked, 1).getFirst(), processing(other, 1).getFirst());
    List.of(locked, other).forEach(tasks::closeBatch);
    tasks.settle(some.stream().map(one -> finish(one, TaskState.SUCCEEDED)).toList());

    DATABASE.during(
        connection -> {
          try (PreparedStatement lock =
              connection.prepareStatement("select from task_batch where id = ? for update")) {
            lock.setObject(1, locked.value());
            return lock.execute();
          }
        },
        () -> tasks.countBatches(1) + tasks.countBatches(1));

    assertThat(tasks.findBatch(other).orElseThrow().end()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(tasks.findBatch(locked).orElseThrow().end()).isNull();
    follow();
    assertThat(tasks.findBatch(locked).orElseThrow().end()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(DATABASE.number("select count(*) from task_batch_end")).isZero();
  }

  @Test
  void the_end_of_a_batch_waits_a_moment_for_tasks_that_begin_to_wait_for_it() throws Exception {
    BatchId batch = newBatch();
    FencedTask task = processing(batch, 1).getFirst();
    tasks.settle(List.of(finish(task, TaskState.SUCCEEDED)));
    DATABASE.during(sql("select from task_batch for key share"), () -> tasks.closeBatch(batch));

    DATABASE.blockedBehind(
        sql("select from task_batch for key share"), () -> tasks.countBatches(100));

    assertThat(tasks.findBatch(batch).orElseThrow().end()).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void a_batch_for_which_a_transaction_waits_long_ends_once_that_is_over() throws Exception {
    BatchId batch = newBatch();
    tasks.closeBatch(batch);

    assertThat(
            DATABASE.during(
                sql("select from task_batch for key share"), () -> tasks.countBatches(100)))
        .isZero();
    assertThat(tasks.countBatches(100)).isEqualTo(1);
  }

  @Test
  void tasks_that_are_added_while_the_batch_is_closed_join_it_before_or_are_refused()
      throws Exception {
    for (int round = 0; round < 30; round++) {
      BatchId batch = newBatch();
      TaskId last = behind(batch, OnFailure.CONTINUE);
      AtomicLong joined = new AtomicLong();
      List<Runnable> work = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        work.add(() -> {
          InsertResult result = store(List.of(newTask(batch), newTask(batch)), List.of());
          if (result instanceof InsertResult.Stored) {
            joined.addAndGet(2);
          } else {
            assertThat(((InsertResult.NotInBatch) result).reason())
                .isEqualTo(InsertResult.BatchReason.CLOSED);
          }
        });
      }
      work.add(() -> {
        tasks.closeBatch(batch);
        tasks.countBatches(100);
        tasks.followEnds(100);
      });
      inParallel(work);

      assertThat(counts(batch).total()).isEqualTo(joined.get());
      follow();
      assertThat(state(last)).isEqualTo(joined.get() == 0 ? TaskState.NEW : TaskState.AWAITING);
    }
  }

  @Test
  void a_task_that_begins_to_wait_while_the_batch_ends_is_told() throws Exception {
    for (int round = 0; round < 30; round++) {
      BatchId batch = newBatch();
      FencedTask task = processing(batch, 1).getFirst();
      tasks.closeBatch(batch);
      tasks.settle(List.of(finish(task, TaskState.SUCCEEDED)));
      List<TaskId> last = new ArrayList<>();
      inParallel(
          List.<Runnable>of(
              () -> last.add(behind(batch, OnFailure.FAIL)), () -> tasks.countBatches(100)));
      follow();

      assertThat(state(last.getFirst())).isIn(TaskState.NEW, TaskState.ENQUEUED);
    }
  }

  @Test
  void the_millionth_task_is_the_last_that_joins() {
    BatchId batch = newBatch();
    DATABASE.execute("update task_batch set total = 999998");

    InsertResult three = store(List.of(newTask(batch), newTask(batch), newTask(batch)), List.of());
    assertThat(three)
        .isEqualTo(new InsertResult.NotInBatch(2, batch, InsertResult.BatchReason.FULL));
    assertThat(store(List.of(newTask(batch), newTask(batch)), List.of()))
        .isInstanceOf(InsertResult.Stored.class);
    assertThat(counts(batch).total()).isEqualTo(BatchCounts.MOST_TASKS);
  }

  @Test
  void no_batch_is_made_while_an_older_node_runs_and_none_enrols_while_there_are_batches() {
    DATABASE.execute(
        "insert into node (id, enrolled_at, renewed_at, lapse, schema_known)"
            + " values (gen_random_uuid(), now(), now(), interval '1 hour', 17)");
    assertThat(
            tasks.createBatch(
                new NewBatch(new BatchId(newId().value()), name.handler(), null, null)))
        .isEqualTo(new BatchCreation.OlderNodes(1));
    DATABASE.execute("delete from node");
    newBatch();

    assertThatThrownBy(() ->
            DATABASE.execute(
                "insert into node (id, enrolled_at, renewed_at, lapse, schema_known)"
                    + " values (gen_random_uuid(), now(), now(), interval '1 hour', 17)"))
        .hasStackTraceContaining("there are batches of tasks");
  }

  /** Everything at once: the counts are those of the tasks, and every batch ends. */
  @Test
  void whatever_happens_at_once_the_counts_are_the_truth() throws Exception {
    List<BatchId> batches = List.of(newBatch(), newBatch());
    List<TaskId> last = batches.stream().map(batch -> behind(batch, OnFailure.BLOCK)).toList();
    List<Runnable> nodes = new ArrayList<>();
    for (int n = 0; n < NODES; n++) {
      NodeId node = new NodeId(new UUID(9, n));
      long seed = n;
      nodes.add(() -> work(node, new Random(seed), batches));
    }
    inParallel(nodes);
    batches.forEach(batch -> assertThat(counts(batch)).isEqualTo(recount(batch)));
    follow();
    batches.forEach(batch -> assertThat(counts(batch)).isEqualTo(recount(batch)));

    batches.forEach(tasks::closeBatch);
    for (int round = 0; round < 300; round++) {
      List<FencedTask> begun = begin(new NodeId(new UUID(9, 9)));
      tasks.settle(begun.stream().map(one -> finish(one, TaskState.SUCCEEDED)).toList());
      follow();
      if (begun.isEmpty() && redrive() == 0) {
        break;
      }
    }
    for (int i = 0; i < batches.size(); i++) {
      BatchCounts counts = counts(batches.get(i));
      assertThat(counts).isEqualTo(recount(batches.get(i)));
      assertThat(counts.unfinished()).isZero();
      assertThat(tasks.findBatch(batches.get(i)).orElseThrow().end()).isEqualTo(counts.end());
      assertThat(state(last.get(i)))
          .isEqualTo(counts.cancelled() > 0 ? TaskState.CANCELLED : TaskState.SUCCEEDED);
    }
    assertThat(DATABASE.number("select count(*) from task_batch_end")).isZero();
    assertThat(DATABASE.number("select count(*) from task_await")).isZero();
  }

  private static void work(NodeId node, Random random, List<BatchId> batches) {
    for (int round = 0; round < 40; round++) {
      try {
        BatchId batch = batches.get(random.nextInt(batches.size()));
        switch (random.nextInt(6)) {
          case 0, 1 ->
              store(List.of(newTask(batch), newTask(batches.getFirst())), List.of(), false);
          case 2 -> {
            List<Settlement> ends = new ArrayList<>();
            TaskState[] states = {
              TaskState.FAILED, TaskState.DEAD, TaskState.SUCCEEDED, TaskState.SUCCEEDED
            };
            begin(node).forEach(one -> ends.add(finish(one, states[random.nextInt(4)])));
            tasks.settle(ends);
          }
          case 3 -> redrive();
          case 4 -> tasks.countBatches(1 + random.nextInt(5));
          default -> {
            if (batch.equals(batches.getLast())) {
              tasks.cancelBatch(batch, null, 1);
            }
          }
        }
      } catch (StoreUnavailable e) {
        assertThat(e).as("deadlocks are not to happen").isNull();
      }
    }
  }

  private static List<FencedTask> begin(NodeId node) {
    EnqueueRequest request =
        new EnqueueRequest(node, Map.of(queue, 5), 1 << 20, Duration.ZERO, LEASE);
    List<TaskClaim> claims =
        tasks.enqueue(request).stream()
            .map(one -> new TaskClaim(one.task(), queue, "worker", null))
            .toList();
    return tasks.claim(claims, LEASE).claimed().stream().map(FencedTask::next).toList();
  }

  private static int redrive() {
    return tasks
        .redrive(
            new RedriveRequest(
                new RedriveRequest.Filter(null, RedriveRequest.REDRIVABLE, null, "", null),
                null,
                Duration.ZERO,
                1_000))
        .count();
  }

  private static BatchCounts recount(BatchId batch) {
    String of = " where batch_id = '" + batch + "'";
    long live = DATABASE.number("select count(*) from task" + of);
    BatchCounts ended = BatchCounts.NONE.joined(live);
    for (TaskState end :
        List.of(TaskState.SUCCEEDED, TaskState.FAILED, TaskState.CANCELLED, TaskState.DEAD)) {
      String code = end.name().substring(0, 1);
      long count =
          DATABASE.number(
              "select count(*) from finished_task" + of + " and state = '" + code + "'");
      ended = ended.joined(count).ended(end, count);
    }
    return ended;
  }
}
