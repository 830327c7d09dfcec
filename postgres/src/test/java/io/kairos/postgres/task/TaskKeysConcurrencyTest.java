package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.OrderingKeyPolicy.OnDead;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyPolicy.Parallel;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Many threads do everything at once to the tasks of a few keys on a real database. What they may
 * never see: more of a key performed at a time than the policy allows, and, when they are done,
 * tasks that nothing wakes or that are performed out of order.
 */
final class TaskKeysConcurrencyTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 150;
  private static final int KEYS = 6;
  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final TaskHandler HANDLER = new HandlerName("mail");

  private static final ListQuery LEFT =
      ListQuery.ofHandler(
          null,
          EnumSet.of(
              TaskState.NEW,
              TaskState.ENQUEUED,
              TaskState.PROCESSING,
              TaskState.RETRIABLE_FAILURE,
              TaskState.BLOCKED),
          null,
          10);

  private static final TestDatabase DATABASE = TestDatabase.create();
  private static final AtomicLong LAST_ID = new AtomicLong();

  private static PostgresStores stores;
  private static TaskStore tasks;
  private static QueueId queue;

  private final Map<TaskId, OrderingKey> keyOf = new ConcurrentHashMap<>();
  private final Map<OrderingKey, AtomicInteger> performed = new ConcurrentHashMap<>();
  private int capacity = 1;

  @BeforeAll
  static void open() {
    stores = DATABASE.open();
    tasks = stores.tasks();
    queue = tasks.queues(List.of(new QueueName(HANDLER, 50))).values().iterator().next();
  }

  @AfterAll
  static void close() {
    stores.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.execute("truncate task, finished_task, task_key, task_handler");
  }

  @Test // PD-19
  void pd18_never_two_of_an_ordered_key_and_none_is_left_behind() throws Exception {
    inParallel();
    drain();
  }

  @Test
  void heads_that_block_their_keys_let_go_when_they_are_skipped() throws Exception {
    tasks.setKeyPolicy(HANDLER, new OrderingKeyPolicy(new Ordered(OnDead.BLOCK), null));

    inParallel();

    for (int key = 0; key < KEYS; key++) {
      tasks.skipHead(HANDLER, key(key));
    }
    drain();
  }

  @Test
  void never_more_of_a_key_than_its_capacity_and_none_is_left_behind() throws Exception {
    capacity = 2;
    tasks.setKeyPolicy(HANDLER, new OrderingKeyPolicy(new Parallel(2), null));

    inParallel();
    drain();
  }

  @Test
  void a_sweep_locks_no_key_that_has_tasks() {
    ArrivingTask waiting = ArrivingTask.withoutIdempotency(newTask(new SplittableRandom(1)), false);
    assertThat(tasks.insert(NODE, List.of(new InsertRequest(List.of(waiting))), LEASE))
        .hasOnlyElementsOfType(InsertResult.Stored.class);
    String lockedBy = "select xmax::text::bigint from task_key";
    long before = DATABASE.number(lockedBy);

    assertThat(tasks.sweepKeys(Optional.empty(), KEYS).found()).isZero();

    assertThat(DATABASE.number(lockedBy)).isEqualTo(before);
  }

  private void inParallel() throws Exception {
    List<Callable<Integer>> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom chance = new SplittableRandom(i);
      threads.add(() -> {
        Worker worker = new Worker(chance);
        for (int round = 0; round < ROUNDS; round++) {
          worker.act();
        }
        worker.endAll();
        return ROUNDS;
      });
    }
    try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Integer> one : pool.invokeAll(threads)) {
        assertThat(one.get()).isEqualTo(ROUNDS);
      }
    }
  }

  /** One thread: a node that stores and hands out, and workers that perform. */
  private final class Worker {
    private final SplittableRandom chance;
    private final List<EnqueuedTask> enqueued = new ArrayList<>();
    private final List<FencedTask> processing = new ArrayList<>();

    Worker(SplittableRandom chance) {
      this.chance = chance;
    }

    void act() {
      switch (chance.nextInt(9)) {
        case 0, 1 -> store();
        case 2, 3 -> enqueued.addAll(enqueue(5));
        case 4, 5 -> claim();
        case 6, 7 -> end();
        default -> disturb();
      }
    }

    private void store() {
      List<ArrivingTask> arrivals = new ArrayList<>();
      for (int i = chance.nextInt(1, 5); i > 0; i--) {
        arrivals.add(ArrivingTask.withoutIdempotency(newTask(chance), chance.nextBoolean()));
      }
      arrivals.forEach(
          one -> keyOf.put(one.task().id(), requireNonNull(one.task().details().key())));
      InsertResult result = new InsertResult.Busy();
      while (result instanceof InsertResult.Busy) {
        result = tasks.insert(NODE, List.of(new InsertRequest(arrivals)), LEASE).getFirst();
      }
      List<TaskReceipt> receipts = ((InsertResult.Stored) result).receipts();
      for (int i = 0; i < receipts.size(); i++) {
        if (receipts.get(i).onQueue()) {
          NewTask task = arrivals.get(i).task();
          enqueued.add(EnqueuedTask.of(task, receipts.get(i).keyId()));
        }
      }
    }

    private void claim() {
      for (FencedTask task : handedOut(enqueued)) {
        assertThat(counter(task).incrementAndGet()).isLessThanOrEqualTo(capacity);
        processing.add(task);
      }
      enqueued.clear();
    }

    private void end() {
      List<Settlement> settlements = new ArrayList<>();
      for (FencedTask task : List.copyOf(processing)) {
        if (chance.nextBoolean()) {
          settlements.add(
              switch (chance.nextInt(4)) {
                case 0 -> new Settlement.Retry(task, Duration.ZERO, "again");
                case 1 -> new Settlement.Finish(task, TaskState.DEAD, "dead");
                default -> new Settlement.Finish(task, TaskState.SUCCEEDED, "");
              });
          processing.remove(task);
          counter(task).decrementAndGet();
        }
      }
      assertThat(tasks.settle(settlements).tasks()).hasSameSizeAs(settlements);
    }

    void endAll() {
      tasks.release(enqueued.stream().map(EnqueuedTask::task).toList(), LEASE);
      processing.forEach(task -> counter(task).decrementAndGet());
      tasks.settle(
          processing.stream()
              .<Settlement>map(task -> new Settlement.Finish(task, TaskState.SUCCEEDED, ""))
              .toList());
    }

    private void disturb() {
      List<TaskId> known = List.copyOf(keyOf.keySet());
      if (known.isEmpty()) {
        return;
      }
      TaskId one = known.get(chance.nextInt(known.size()));
      switch (chance.nextInt(5)) {
        case 0, 1 -> tasks.cancel(one);
        case 2 -> tasks.reschedule(one, chance.nextInt(1_000_000));
        case 3 -> tasks.skipHead(HANDLER, key(chance.nextInt(KEYS)));
        default -> tasks.sweepKeys(Optional.empty(), KEYS);
      }
    }
  }

  private AtomicInteger counter(FencedTask task) {
    return performed.computeIfAbsent(
        requireNonNull(keyOf.get(task.id())), _ -> new AtomicInteger());
  }

  /** Alone now: everything that is left is performed, of each key in due order. */
  private void drain() {
    // A retry that was released waits for its enqueue timeout.
    DATABASE.execute("update task set next_trigger = due_at where state = 'R'");
    Map<OrderingKey, Long> lastDue = new HashMap<>();
    while (true) {
      List<EnqueuedTask> enqueued = enqueue(1_000);
      if (enqueued.isEmpty()) {
        break;
      }
      Set<FencedTask> claimed = new HashSet<>(handedOut(enqueued));
      for (EnqueuedTask task : enqueued) {
        if (claimed.contains(task.task().next()) && task.attempt() == 0 && capacity == 1) {
          OrderingKey key = requireNonNull(keyOf.get(task.task().id()));
          assertThat(task.dueMicros()).isGreaterThanOrEqualTo(lastDue.getOrDefault(key, 0L));
          lastDue.put(key, task.dueMicros());
        }
      }
      List<Settlement> ends = new ArrayList<>();
      claimed.forEach(task -> ends.add(new Settlement.Finish(task, TaskState.SUCCEEDED, "")));
      assertThat(tasks.settle(ends).tasks()).hasSameSizeAs(ends);
    }
    assertThat(tasks.list(LEFT).tasks()).isEmpty();
    assertThat(
            DATABASE.number(
                "select count(*) from task_key where occupied <> 0 or head is not null or blocked_by is not null"))
        .isZero();
    assertThat(DATABASE.number("select count(*) from finished_task")).isEqualTo(keyOf.size());
    tasks.sweepKeys(Optional.empty(), 1_000);
    assertThat(DATABASE.number("select count(*) from task_key")).isZero();
  }

  private static List<EnqueuedTask> enqueue(int most) {
    return tasks.enqueue(
        new EnqueueRequest(NODE, Map.of(queue, most), 1 << 20, Duration.ZERO, LEASE));
  }

  private static List<FencedTask> handedOut(List<EnqueuedTask> enqueued) {
    Set<FencedTask> claimed =
        tasks
            .claim(
                enqueued.stream()
                    .map(one -> new TaskClaim(one.task(), one.queue(), "worker", one.keyId()))
                    .toList(),
                LEASE)
            .claimed();
    return claimed.stream().map(FencedTask::next).toList();
  }

  private static NewTask newTask(SplittableRandom chance) {
    long n = LAST_ID.incrementAndGet();
    return new NewTask(
        TaskId.at(n, 0, n),
        queue,
        chance.nextInt(1_000_000),
        TaskDetails.of(new byte[] {1}).withKey(key(chance.nextInt(KEYS))),
        null);
  }

  private static OrderingKey key(int number) {
    return new OrderingKey("key " + number);
  }
}
