package io.kairos.postgres.task;

import static io.kairos.postgres.task.StoreSide.agree;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskIdempotency.OnConflict;
import io.kairos.domain.task.TaskIdempotency.Window;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.HeldAttempt;
import io.kairos.engine.task.port.InsertRequest;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.QueueUse;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.engine.task.port.operator.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The model and Postgres get the same random calls and must give the same answers. Time passes in
 * half hours, and no length of time that is used adds up to such, so that the seconds which the run
 * takes change no answer.
 */
final class TaskStoreAgreementTest {
  private static final int STEPS = 600;
  private static final int MANY = 100_000;
  private static final Duration ENQUEUE_TIMEOUT = Duration.ofMinutes(65);
  private static final Duration LEASE = Duration.ofMinutes(70);
  private static final Duration RETRY_DELAY = Duration.ofMinutes(57);
  private static final List<Window> WINDOWS =
      List.of(
          new Window.WhileUnfinished(),
          new Window.WhileWaiting(),
          new Window.For(Duration.ofMinutes(45)),
          new Window.Forever());
  private static final Duration RETENTION = Duration.ofMinutes(183);
  private static final RetryPolicy LIMITED =
      new RetryPolicy(3, Duration.ofSeconds(1), 1.5, Duration.ofSeconds(5));
  private static final List<NodeId> NODES =
      List.of(new NodeId(new UUID(1, 1)), new NodeId(new UUID(2, 2)));
  private static final List<String> WORKERS = List.of("worker-1", "worker-2", "worker-3");

  /** Its tasks are never claimed, so that the order of their triggers is that of due times. */
  private static final QueueName NEVER_CLAIMED = new QueueName(new HandlerName("agree/b"), 50);

  private static final List<QueueName> QUEUES =
      List.of(
          new QueueName(new HandlerName("agree/a"), 50),
          new QueueName(new HandlerName("agree/a"), 90),
          NEVER_CLAIMED);

  /** A new task, in words that both sides understand. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Given(
      TaskId id,
      QueueName queue,
      boolean onQueue,
      Duration dueIn,
      RetryPolicy policy,
      byte[] payload,
      @Nullable TaskIdempotency idempotency) {
    ArrivingTask on(StoreSide side) {
      NewTask task =
          new NewTask(
              id,
              side.queue(queue),
              side.zeroMicros() + EpochMicros.lengthOf(dueIn),
              TaskDetails.of(payload).withRetryPolicy(policy),
              null);
      return new ArrivingTask(task, onQueue, idempotency);
    }
  }

  private SplittableRandom chance = new SplittableRandom(0);
  private final Map<TaskId, Long> lastFence = new HashMap<>();
  private final Map<TaskId, QueueName> queueOf = new HashMap<>();
  private final List<TaskId> known = new ArrayList<>();
  private List<StoreSide> sides = List.of();
  private long lastId;

  @ParameterizedTest
  @MethodSource("io.kairos.postgres.task.StoreSide#seeds")
  void the_model_and_postgres_give_the_same_answers(long seed) {
    chance = new SplittableRandom(seed);
    sides = StoreSide.both(QUEUES);

    for (int step = 0; step < STEPS; step++) {
      String what = "seed " + seed + ", step " + step;
      agree(sides, what, randomCall());
      if (step % 50 == 0) {
        agree(sides, what + ", all", this::all);
      }
    }
    agree(sides, "seed " + seed + ", end", this::all);
  }

  private Function<StoreSide, Object> randomCall() {
    return switch (chance.nextInt(19)) {
      case 0, 1 -> insert();
      case 2, 3 -> enqueue();
      case 4, 5, 6 -> claim();
      case 7 -> heartbeat();
      case 8, 9, 10 -> settle();
      case 11 -> release();
      case 12 -> letPass();
      case 13 -> change();
      case 14 -> ask();
      case 15 -> limit();
      case 16 -> pause();
      case 17 -> quota();
      default -> list();
    };
  }

  private Function<StoreSide, Object> insert() {
    List<List<Given>> requests = new ArrayList<>(List.of(new ArrayList<>()));
    Set<String> keysOfRequest = new HashSet<>();
    for (int i = chance.nextInt(6); i > 0; i--) {
      lastId++;
      TaskId id = TaskId.at(1_000 + lastId, chance.nextLong(), chance.nextLong());
      QueueName queue = oneOf(QUEUES);
      boolean onQueue = chance.nextBoolean();
      Duration dueIn =
          Duration.ofMinutes(15 + 60 * chance.nextInt(-4, 5)).plusNanos(1_000 * lastId);
      if (chance.nextInt(3) == 0) {
        requests.add(new ArrayList<>());
        keysOfRequest.clear();
      }
      requests
          .getLast()
          .add(
              new Given(
                  id,
                  queue,
                  onQueue,
                  dueIn,
                  chance.nextBoolean() ? RetryPolicy.DEFAULT : LIMITED,
                  new byte[chance.nextInt(50)],
                  idempotency(keysOfRequest)));
      known.add(id);
      queueOf.put(id, queue);
      lastFence.put(id, onQueue ? 1L : 0L);
    }
    NodeId node = oneOf(NODES);
    return side ->
        side.tasks()
            .insert(
                node,
                requests.stream()
                    .map(some ->
                        new InsertRequest(some.stream().map(given -> given.on(side)).toList()))
                    .toList(),
                ENQUEUE_TIMEOUT);
  }

  /** Mostly none; no key twice in a request. */
  private @Nullable TaskIdempotency idempotency(Set<String> keysOfRequest) {
    String key = "key " + chance.nextInt(6);
    if (chance.nextInt(3) > 0 || !keysOfRequest.add(key)) {
      return null;
    }
    return new TaskIdempotency(key, oneOf(WINDOWS), oneOf(List.of(OnConflict.values())));
  }

  private Function<StoreSide, Object> quota() {
    TaskHandler handler = oneOf(QUEUES).handler();
    if (chance.nextBoolean()) {
      return side -> side.tasks().quota(handler);
    }
    Long most = chance.nextInt(3) == 0 ? null : chance.nextLong(20, 80);
    return side -> {
      side.tasks().setQuota(handler, most);
      side.tasks().recountQuotas();
      return side.tasks().pruneIdempotencyKeys(MANY);
    };
  }

  private Function<StoreSide, Object> enqueue() {
    NodeId node = oneOf(NODES);
    Duration ahead = Duration.ofHours(chance.nextInt(3));
    boolean few = chance.nextInt(3) == 0;
    int limit = few ? chance.nextInt(4) : MANY;
    List<QueueName> from = few ? List.of(NEVER_CLAIMED) : QUEUES;
    return side -> {
      Map<QueueId, Integer> limits = new HashMap<>();
      from.forEach(queue -> limits.put(side.queue(queue), limit));
      List<EnqueuedTask> enqueued =
          side.tasks().enqueue(new EnqueueRequest(node, limits, MANY, ahead, ENQUEUE_TIMEOUT));
      enqueued.forEach(one -> saw(one.task()));
      return sorted(
          enqueued,
          one ->
              one.task()
                  + side.queue(one.queue())
                  + due(side, one.dueMicros())
                  + " attempt "
                  + one.attempt()
                  + " bytes "
                  + one.details().bytes());
    };
  }

  private Function<StoreSide, Object> claim() {
    List<FencedTask> claims =
        some(12).stream().filter(task -> !NEVER_CLAIMED.equals(queueOf.get(task.id()))).toList();
    List<String> workers = claims.stream().map(_ -> oneOf(WORKERS)).toList();
    return side -> {
      List<TaskClaim> wishes = new ArrayList<>();
      for (int i = 0; i < claims.size(); i++) {
        FencedTask task = claims.get(i);
        QueueName queue = Objects.requireNonNull(queueOf.get(task.id()));
        wishes.add(new TaskClaim(task, side.queue(queue), workers.get(i), null));
      }
      ClaimResult result = side.tasks().claim(wishes, LEASE);
      result.claimed().forEach(task -> saw(task.next()));
      return sorted(result.claimed(), FencedTask::toString)
          + " held back "
          + sorted(result.heldBack().keySet(), FencedTask::toString);
    };
  }

  private Function<StoreSide, Object> heartbeat() {
    List<FencedTask> tasks = some(10);
    return side -> side.tasks().heartbeat(tasks, LEASE);
  }

  private Function<StoreSide, Object> settle() {
    boolean isReaped = chance.nextBoolean();
    List<Settlement> settlements =
        some(10).stream().map(task -> settlement(task, isReaped)).toList();
    return side -> {
      SettlementResult settled =
          isReaped
              ? side.tasks().reap(settlements, Long.MAX_VALUE)
              : side.tasks().settle(settlements);
      return sorted(settled.tasks(), FencedTask::toString)
          + " room in "
          + sorted(settled.roomIn(), side::queue);
    };
  }

  private Settlement settlement(FencedTask task, boolean isReaped) {
    return switch (chance.nextInt(8)) {
      case 0 -> new Settlement.Finish(task, TaskResult.text("done"));
      case 1 -> new Settlement.Finish(task, TaskState.FAILED, "failed");
      case 2 -> new Settlement.Finish(task, TaskState.DEAD, "dead");
      case 3, 4 -> new Settlement.Retry(task, RETRY_DELAY, "again");
      case 5 -> isReaped ? new Settlement.Requeue(task) : new Settlement.Snooze(task, RETRY_DELAY);
      default -> isReaped ? new Settlement.Requeue(task) : new Settlement.NotBegun(task);
    };
  }

  private Function<StoreSide, Object> release() {
    if (chance.nextBoolean()) {
      NodeId departed = oneOf(NODES);
      return side -> side.tasks().releaseHeldBy(Set.of(departed), ENQUEUE_TIMEOUT, MANY);
    }
    List<FencedTask> tasks = some(10);
    return side -> {
      side.tasks().release(tasks, ENQUEUE_TIMEOUT);
      return "released";
    };
  }

  private Function<StoreSide, Object> letPass() {
    Duration passes = Duration.ofMinutes(30L * chance.nextInt(1, 5));
    return side -> {
      side.stores().letPass(passes);
      return sorted(side.tasks().lapsed(Long.MAX_VALUE, MANY), HeldAttempt::toString);
    };
  }

  private Function<StoreSide, Object> change() {
    if (known.isEmpty()) {
      return _ -> "nothing";
    }
    TaskId id = oneOf(known);
    return switch (chance.nextInt(3)) {
      case 0 -> side -> side.tasks().cancel(id);
      case 1 -> {
        long inMicros = EpochMicros.lengthOf(Duration.ofMinutes(15 + 60 * chance.nextInt(-4, 5)));
        long unique = ++lastId;
        yield side -> side.tasks().reschedule(id, side.zeroMicros() + inMicros + unique);
      }
      default -> {
        TaskState end =
            oneOf(EnumSet.allOf(TaskState.class).stream().filter(TaskState::isFinished).toList());
        yield side -> side.tasks().prune(end, RETENTION, MANY);
      }
    };
  }

  /** Of one queue; the other is never limited. */
  private Function<StoreSide, Object> limit() {
    TaskQueueLimit limit =
        chance.nextInt(3) == 0
            ? TaskQueueLimit.NONE
            : new TaskQueueLimit(chance.nextInt(4), chance.nextBoolean() ? null : 0.0001, null);
    return side -> {
      side.tasks().setLimit(side.queue(QUEUES.getFirst()), limit);
      side.tasks().recountLimits();
      return sorted(side.tasks().limits().values(), QueueUse::toString);
    };
  }

  private Function<StoreSide, Object> pause() {
    TaskHandler handler = QUEUES.getFirst().handler();
    int what = chance.nextInt(4);
    TaskPause.Mode mode = chance.nextInt(3) == 0 ? TaskPause.Mode.DROP : TaskPause.Mode.PAUSE;
    long minutes = 30L * chance.nextInt(1, 5);
    return side -> {
      if (what == 0) {
        Instant until = EpochMicros.toInstant(side.zeroMicros()).plus(minutes, ChronoUnit.MINUTES);
        side.tasks().setPause(new TaskPause(handler, null, mode, until.plusSeconds(900), "agreed"));
      } else if (what == 1) {
        side.tasks().setPause(new TaskPause(handler, null, mode, null, "agreed"));
      } else {
        side.tasks().endPause(handler, null);
      }
      return side.tasks().applyPauses(MANY)
          + " closed "
          + sorted(side.tasks().pauses(), closed -> closed.pause().mode() + closed.pause().note());
    };
  }

  private Function<StoreSide, Object> ask() {
    List<FencedTask> tasks = some(5);
    return side ->
        Stream.of(
                sorted(side.tasks().attempts(tasks), HeldAttempt::toString),
                tasks.stream().map(task -> side.tasks().holder(task.id())).toList(),
                tasks.stream()
                    .map(task -> side.tasks().find(task.id()).map(view -> words(side, view)))
                    .toList())
            .toList();
  }

  private Function<StoreSide, Object> list() {
    EnumSet<TaskState> states = EnumSet.of(oneOf(List.of(TaskState.values())));
    for (TaskState state : TaskState.values()) {
      if (chance.nextBoolean()) {
        states.add(state);
      }
    }
    TaskHandler handler = chance.nextBoolean() ? null : oneOf(QUEUES).handler();
    TaskId before = known.isEmpty() || chance.nextBoolean() ? null : oneOf(known);
    ListQuery query = ListQuery.ofHandler(handler, states, before, chance.nextInt(1, 20));
    return side ->
        side.tasks().list(query).tasks().stream().map(view -> words(side, view)).toList();
  }

  private List<String> all(StoreSide side) {
    ListQuery query = ListQuery.ofHandler(null, EnumSet.allOf(TaskState.class), null, MANY);
    return side.tasks().list(query).tasks().stream()
        .map(view -> words(side, side.tasks().find(view.id()).orElseThrow()))
        .toList();
  }

  /**
   * A due time to ten minutes: that of a task that was put off is one that the store's clock gave.
   */
  private static long due(StoreSide side, long micros) {
    return Math.floorDiv(micros - side.zeroMicros(), EpochMicros.lengthOf(Duration.ofMinutes(10)));
  }

  /** All but the times that the store's clock gave. */
  private static String words(StoreSide side, TaskView view) {
    return String.join(
        " ",
        view.id().toString(),
        view.queue().toString(),
        view.state().toString(),
        "due " + due(side, EpochMicros.of(view.dueAt())),
        "attempt " + view.progress().attempt(),
        String.valueOf(view.details().retryPolicy()),
        view.details().bytes() + " bytes",
        "trigger " + (view.progress().nextTrigger() != null),
        "finished " + (view.progress().finishedAt() != null),
        "started " + (view.progress().attemptStartedAt() != null),
        "holder " + view.progress().holder(),
        "cancel " + view.progress().cancelRequested(),
        view.progress().failures().stream()
            .map(one -> one.attempt() + one.error() + one.outcome() + (one.startedAt() != null))
            .toList()
            .toString(),
        view.progress().result().text());
  }

  private static <T> List<String> sorted(Collection<T> all, Function<T, String> words) {
    return all.stream().map(words).sorted(Comparator.naturalOrder()).toList();
  }

  /** Different tasks, most of them with the fence that they were last seen with. */
  private List<FencedTask> some(int atMost) {
    List<TaskId> recent = known.subList(Math.max(0, known.size() - 40), known.size());
    Map<TaskId, FencedTask> some = new HashMap<>();
    for (int i = recent.isEmpty() ? 0 : chance.nextInt(atMost); i > 0; i--) {
      TaskId id = oneOf(recent);
      long fence = Objects.requireNonNull(lastFence.get(id));
      some.put(id, new FencedTask(id, chance.nextInt(5) == 0 ? fence - 1 : fence));
    }
    return some.values().stream().sorted(Comparator.comparing(FencedTask::id)).toList();
  }

  private void saw(FencedTask task) {
    lastFence.merge(task.id(), task.fence(), Math::max);
  }

  private <T> T oneOf(List<T> all) {
    return all.get(chance.nextInt(all.size()));
  }
}
