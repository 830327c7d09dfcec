package io.kairos.postgres.task;

import static io.kairos.postgres.task.StoreSide.agree;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.OrderingKeyPolicy.OnDead;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyPolicy.Parallel;
import io.kairos.domain.task.OrderingKeyPolicy.Rate;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.operator.KeyQuery;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import io.kairos.engine.task.port.operator.TaskView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The model and Postgres get the same random calls about tasks with ordering keys and start
 * deadlines, and must give the same answers. As in {@link TaskStoreAgreementTest}, no length of
 * time adds up to the half hours that pass, so that the seconds of the run change no answer.
 */
final class TaskKeysAgreementTest {
  private static final int STEPS = 400;
  private static final int MANY = 100_000;
  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final Duration TIMEOUT = Duration.ofDays(30);
  private static final TaskHandler HANDLER = new HandlerName("agree/keys");
  private static final List<QueueName> QUEUES =
      List.of(new QueueName(HANDLER, 50), new QueueName(HANDLER, 90));
  private static final List<OrderingKey> KEYS =
      Stream.of("a", "b", "c", "d").map(OrderingKey::new).toList();
  private static final List<OrderingKeyPolicy> POLICIES =
      List.of(
          OrderingKeyPolicy.DEFAULT,
          OrderingKeyPolicy.DEFAULT,
          new OrderingKeyPolicy(new Ordered(OnDead.BLOCK), null),
          new OrderingKeyPolicy(new Parallel(2), null),
          new OrderingKeyPolicy(new Parallel(Integer.MAX_VALUE), new Rate(1.0 / (43 * 60), 2)));

  private static long micros(StoreSide side, long minutes, long unique) {
    return side.zeroMicros() + EpochMicros.lengthOf(Duration.ofMinutes(minutes)) + unique;
  }

  private SplittableRandom chance = new SplittableRandom(0);
  private final Map<TaskId, FencedTask> held = new HashMap<>();
  private final List<TaskId> known = new ArrayList<>();
  private List<StoreSide> sides = List.of();
  private long lastId;

  @ParameterizedTest
  @MethodSource("io.kairos.postgres.task.StoreSide#seeds")
  void the_model_and_postgres_agree_on_keys_and_deadlines(long seed) {
    chance = new SplittableRandom(seed);
    sides = StoreSide.both(QUEUES);

    for (int step = 0; step < STEPS; step++) {
      agree(sides, "seed " + seed + ", step " + step, randomCall());
      agree(sides, "seed " + seed + ", after step " + step, TaskKeysAgreementTest::all);
    }
  }

  private Function<StoreSide, Object> randomCall() {
    return switch (chance.nextInt(20)) {
      case 0, 1, 2 -> insert();
      case 3, 4, 5 -> enqueue();
      case 6, 7, 8, 9 -> claim();
      case 10, 11, 12, 13 -> settle();
      case 14 -> release();
      case 15 -> letPass();
      case 16 -> policy();
      case 17 -> head();
      case 18 -> TaskKeysAgreementTest::sweep;
      default -> change();
    };
  }

  private Function<StoreSide, Object> insert() {
    List<Function<StoreSide, InsertRequest>> requests = new ArrayList<>();
    for (int i = chance.nextInt(1, 3); i > 0; i--) {
      List<Function<StoreSide, ArrivingTask>> arrivals = new ArrayList<>();
      for (int j = chance.nextInt(1, 4); j > 0; j--) {
        arrivals.add(arrival());
      }
      requests.add(
          side -> new InsertRequest(arrivals.stream().map(one -> one.apply(side)).toList()));
    }
    return side -> {
      List<String> results = new ArrayList<>();
      for (InsertResult result :
          side.tasks()
              .insert(NODE, requests.stream().map(one -> one.apply(side)).toList(), TIMEOUT)) {
        for (TaskReceipt receipt : ((InsertResult.Stored) result).receipts()) {
          results.add(receipt.id() + " on queue " + receipt.onQueue());
          OrderingKeyId key = receipt.keyId();
          if (key != null) {
            side.keys().put(receipt.id(), key);
          }
          if (receipt.onQueue()) {
            held.put(receipt.id(), new FencedTask(receipt.id(), 1));
          }
        }
      }
      return results;
    };
  }

  private Function<StoreSide, ArrivingTask> arrival() {
    long unique = ++lastId;
    TaskId id = TaskId.at(1_000 + unique, chance.nextLong(), chance.nextLong());
    known.add(id);
    QueueName queue = oneOf(QUEUES);
    OrderingKey key = oneOf(KEYS);
    boolean onQueue = chance.nextBoolean();
    long dueIn = 15 + 60L * chance.nextInt(-4, 3);
    Long deadlineIn = chance.nextInt(5) > 0 ? null : 40 + 60L * chance.nextInt(-1, 6);
    return side ->
        ArrivingTask.withoutIdempotency(
            new NewTask(
                id,
                side.queue(queue),
                micros(side, dueIn, unique),
                TaskDetails.of(new byte[] {1})
                    .withKey(key)
                    .withStartDeadline(
                        deadlineIn == null ? null : micros(side, deadlineIn, unique)),
                null),
            onQueue);
  }

  private Function<StoreSide, Object> enqueue() {
    Duration ahead = Duration.ofHours(chance.nextInt(3));
    return side -> {
      Map<QueueId, Integer> limits = new HashMap<>();
      side.queues().values().forEach(queue -> limits.put(queue, MANY));
      List<EnqueuedTask> enqueued =
          side.tasks().enqueue(new EnqueueRequest(NODE, limits, MANY, ahead, TIMEOUT));
      enqueued.forEach(one -> {
        held.put(one.task().id(), one.task());
        side.keys().put(one.task().id(), requireNonNull(one.keyId()));
      });
      return enqueued.stream()
          .map(one -> one.task() + side.queue(one.queue()) + one.attempt())
          .sorted()
          .toList();
    };
  }

  private Function<StoreSide, Object> claim() {
    List<FencedTask> some = some();
    return side -> {
      List<FencedTask> claimed =
          side
              .tasks()
              .claim(
                  some.stream()
                      .map(task ->
                          new TaskClaim(
                              task,
                              side.queue(QUEUES.getFirst()),
                              "worker",
                              side.keys().get(task.id())))
                      .toList(),
                  TIMEOUT)
              .claimed()
              .stream()
              .sorted(Comparator.comparing(FencedTask::id))
              .toList();
      claimed.forEach(task -> held.put(task.id(), task.next()));
      return claimed;
    };
  }

  private Function<StoreSide, Object> settle() {
    List<Settlement> settlements =
        some().stream()
            .<Settlement>map(task ->
                switch (chance.nextInt(6)) {
                  case 0 -> new Settlement.Finish(task, TaskState.DEAD, "dead");
                  case 1 -> new Settlement.Finish(task, TaskState.FAILED, "failed");
                  case 2, 3 -> new Settlement.Retry(task, Duration.ofMinutes(57), "again");
                  default -> new Settlement.Finish(task, TaskState.SUCCEEDED, "");
                })
            .toList();
    boolean enqueuesNext = chance.nextBoolean();
    int limit = chance.nextInt(3);
    return side -> {
      Map<QueueId, Integer> limits = new HashMap<>();
      side.queues().values().forEach(queue -> limits.put(queue, limit));
      SettlementResult settled =
          side.tasks()
              .settle(
                  settlements,
                  enqueuesNext
                      ? new EnqueueRequest(NODE, limits, MANY, Duration.ofHours(1), TIMEOUT)
                      : null,
                  Long.MAX_VALUE);
      settled
          .enqueued()
          .forEach(one -> {
            held.put(one.task().id(), one.task());
            side.keys().put(one.task().id(), requireNonNull(one.keyId()));
          });
      return Map.of(
          "tasks",
          settled.tasks(),
          "room",
          settled.roomIn().stream().map(side::queue).sorted().toList(),
          "next",
          settled.enqueued().stream()
              .map(one -> one.task() + side.queue(one.queue()) + one.attempt())
              .sorted()
              .toList());
    };
  }

  private Function<StoreSide, Object> release() {
    List<FencedTask> some = some();
    return side -> {
      side.tasks().release(some, TIMEOUT);
      return "released";
    };
  }

  private Function<StoreSide, Object> letPass() {
    Duration passes = Duration.ofMinutes(30L * chance.nextInt(1, 4));
    boolean expire = chance.nextBoolean();
    return side -> {
      side.stores().letPass(passes);
      return expire ? side.tasks().expire(Long.MAX_VALUE, MANY) : 0;
    };
  }

  private Function<StoreSide, Object> policy() {
    OrderingKeyPolicy policy = oneOf(POLICIES);
    RetryPolicy retry =
        new RetryPolicy(chance.nextInt(1, 9), Duration.ofSeconds(1), 2, Duration.ofSeconds(9));
    return side -> {
      side.tasks()
          .changeHandler(
              HANDLER, before -> new StoredHandlerSettings(retry, before.maxUnfinished(), policy));
      return side.tasks().settings(HANDLER);
    };
  }

  private Function<StoreSide, Object> head() {
    OrderingKey key = oneOf(KEYS);
    boolean skip = chance.nextBoolean();
    return side ->
        skip ? side.tasks().skipHead(HANDLER, key) : side.tasks().retryHead(HANDLER, key);
  }

  private static Object sweep(StoreSide side) {
    return side.tasks().sweepKeys(Optional.empty(), MANY).found();
  }

  private Function<StoreSide, Object> change() {
    if (known.isEmpty()) {
      return _ -> "nothing";
    }
    TaskId id = oneOf(known.subList(Math.max(0, known.size() - 20), known.size()));
    long unique = ++lastId;
    long dueIn = 15 + 60L * chance.nextInt(-4, 3);
    return chance.nextBoolean()
        ? side -> side.tasks().cancel(id)
        : side -> side.tasks().reschedule(id, micros(side, dueIn, unique));
  }

  private static Object all(StoreSide side) {
    ListQuery query = ListQuery.ofHandler(null, EnumSet.allOf(TaskState.class), null, MANY);
    return List.of(
        side.tasks().list(query).tasks().stream().map(TaskKeysAgreementTest::words).toList(),
        side.tasks().stuckKeys(new KeyQuery(HANDLER, null, MANY)).stream()
            .map(key ->
                key.key()
                    + " "
                    + key.reason()
                    + " "
                    + key.head()
                    + " "
                    + key.waiting()
                    + " "
                    + key.error())
            .sorted()
            .toList());
  }

  private static String words(TaskView view) {
    return String.join(
        " ",
        view.id().toString(),
        view.state().toString(),
        "attempt " + view.progress().attempt(),
        "key " + view.details().key(),
        String.valueOf(view.details().retryPolicy()),
        "deadline " + (view.details().startDeadlineMicros() != null),
        "cancel " + view.progress().cancelRequested(),
        view.progress().failures().stream()
            .map(one -> one.attempt() + one.error())
            .toList()
            .toString());
  }

  /** Different tasks with the fence that they were last held under. */
  private List<FencedTask> some() {
    List<TaskId> recent = known.subList(Math.max(0, known.size() - 25), known.size());
    return recent.stream()
        .filter(id -> chance.nextInt(3) > 0 && held.containsKey(id))
        .map(id -> requireNonNull(held.get(id)))
        .toList();
  }

  private <T> T oneOf(List<T> all) {
    return all.get(chance.nextInt(all.size()));
  }
}
