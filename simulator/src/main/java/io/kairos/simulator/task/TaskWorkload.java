package io.kairos.simulator.task;

import static io.kairos.simulator.kernel.RareState.REFUSED_BY_A_CLOSED_BATCH;
import static java.util.Objects.requireNonNull;

import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.RetryLater;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskIdempotency.OnConflict;
import io.kairos.domain.task.TaskIdempotency.Window;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.graph.TaskGraph;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.batch.NewBatch;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.model.task.TaskStoreObserver;
import io.kairos.simulator.kernel.FiberGroup;
import io.kairos.simulator.kernel.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The callers and handlers of one simulation: single tasks and batches, due now or later, with
 * idempotency keys, start deadlines and execution timeouts; early, late and simultaneous cancels
 * and reschedules; executions of all lengths that succeed, fail, hang, ignore a cancel, or kill
 * their worker.
 */
final class TaskWorkload {
  private static final int FEWEST_CALLS = 60;
  private static final int CALM_TASKS = 12;
  private static final int GRAPHS = 12;
  private static final int BATCHES = 4;

  /** Some of the calls may not reach the store. */
  private static final int CLOSES = 8;

  private static final int STUCK_TASKS = 5;
  private static final int FLOOD_TASKS = 75;
  private static final int BESIDE_FLOOD = 3;
  private static final QueueName FLOOD = new QueueName(TaskScenario.FLOODED, QueueName.DEFAULT + 2);

  /** When the flood has come. */
  private static final long SINGLE_AFTER_NANOS = 1_000_000_000;

  /** A limit by key that lets none begin for half of the time of faults. */
  private static final String CLOSED = "closed";

  private static final int KEYS = 3;
  private static final int IDEMPOTENCY_KEYS = 8;
  private static final List<OnConflict> CHOICES = List.of(OnConflict.values());

  /** A task keeps its attempts when it is replaced, and must not have used up those it gets. */
  private static final RetryPolicy OF_ONE_KEY =
      new RetryPolicy(4, Duration.ofMillis(500), 2, Duration.ofSeconds(2));

  /** Execution timeout of every third slow task: longer than any of them takes. */
  private static final Duration AMPLE = Duration.ofSeconds(10);

  /**
   * No task is rescheduled to a time nearer to the end: in the long simulation, before the calm.
   */
  private static final long LAST_CHANGE_NANOS = Duration.ofSeconds(32).toNanos();

  private static final long LONGEST_NANOS = Duration.ofSeconds(8).toNanos();

  /** So long that the task is begun anew while a stubborn handler goes on without its lease. */
  private static final long STUBBORN_NANOS = Duration.ofSeconds(4).toNanos();

  private static final int MOST_LATE = 3;
  private static final QueueName LIMITED = new QueueName(TaskScenario.LATE, QueueName.DEFAULT);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long TRIES_AGAIN_NANOS = Duration.ofMillis(400).toNanos();

  private final TaskCluster world;
  private final SplittableRandom random;
  private final FiberGroup callers = new FiberGroup("callers");
  private final List<TaskTrack> accepted = new ArrayList<>();
  private long lastTag;

  /** True when tasks wait for others that may have been forgotten. */
  private boolean reachesFarBack;

  /** The course of one attempt. */
  record Performance(long nanos, AttemptOutcome outcome, boolean isStubborn, boolean killsWorker) {}

  TaskWorkload(TaskCluster world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  void schedule() {
    long lastNanos = TaskScenario.HEAL_AT.minusSeconds(3).toNanos();
    world.kernel.scatter(
        random.nextInt(FEWEST_CALLS, FEWEST_CALLS + 40), lastNanos, random, this::scheduleSome);
    world.kernel.scatter(
        STUCK_TASKS, lastNanos, random, () -> call(List.of(task(TaskScenario.STUCK, 0))));
    world.kernel.scatter(random.nextInt(25, 50), lastNanos, random, this::change);
    world.kernel.scatter(GRAPHS, lastNanos, random, this::scheduleGraph);
    world.kernel.scatter(BATCHES, lastNanos / 2, random, this::createBatch);
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      long at = random.nextLong(lastNanos);
      world.kernel.after(at, this::pause);
      world.kernel.after(at + random.nextLong(5_000_000_000L), this::resume);
    }
    world.kernel.after(lastNanos, this::limit);
    world.kernel.after(0, this::limitByKey);
    world.kernel.after(TaskScenario.HEAL_AT.dividedBy(2).toNanos(), this::open);
    world.kernel.after(TaskScenario.HEAL_AT.plusSeconds(1).toNanos(), this::resume);
    long calm = TaskScenario.CALM_AT.toNanos();
    long calmEnd = TaskScenario.CALM_ENDS_AT.toNanos();
    for (int i = 0; i < CALM_TASKS; i++) {
      long at = random.nextLong(calm, calmEnd);
      long inMicros = random.nextLong(-100_000, (calmEnd - at) / 1_000 + 1);
      world.kernel.after(at, () -> call(List.of(task(TaskScenario.QUICK, inMicros))));
    }
    world.kernel.after(calm, this::flood);
  }

  /** Nothing but tasks that wait for each other, and changes of them. */
  void scheduleGraphs() {
    long lastNanos = world.span().healNanos() - Duration.ofSeconds(3).toNanos();
    world.kernel.scatter(random.nextInt(14, 28), lastNanos, random, this::scheduleGraph);
    world.kernel.scatter(random.nextInt(6, 14), lastNanos, random, this::change);
    reachesFarBack = true;
  }

  /**
   * Tasks of higher priority than any worker can begin, and a few beside them: of lower priority,
   * of another handler, and of another fairness key.
   */
  private void flood() {
    QueueName high = FLOOD;
    for (int i = 0; i < FLOOD_TASKS; i++) {
      world.kernel.after(
          random.nextLong(500_000_000), () -> call(List.of(task(high, 0, null, null))));
    }
    for (TaskHandler handler : List.of(TaskScenario.FLOODED, TaskScenario.ASIDE)) {
      QueueName low = new QueueName(handler, QueueName.DEFAULT);
      for (int i = 0; i < BESIDE_FLOOD; i++) {
        world.kernel.after(
            random.nextLong(1_000_000_000L, 3_000_000_000L),
            () -> call(List.of(task(low, 0, null, null))));
      }
    }
    for (int i = 0; i < BESIDE_FLOOD; i++) {
      world.kernel.after(
          random.nextLong(SINGLE_AFTER_NANOS, 3_000_000_000L),
          () -> call(List.of(task(high, 0, null, null))));
    }
  }

  /** True for the tasks of another fairness key than that of the flood, in the queue of it. */
  static boolean isSingle(TaskTrack.Asked asked) {
    return asked.queue().equals(FLOOD)
        && asked.atNanos() >= TaskScenario.CALM_AT.toNanos() + SINGLE_AFTER_NANOS;
  }

  private static @Nullable Fairness fairness(TaskTrack.Asked asked) {
    if (asked.queue().equals(FLOOD)) {
      return new Fairness(isSingle(asked) ? "single" : "flood", Fairness.LIGHTEST);
    }
    boolean hasKey = asked.queue().handler().equals(TaskScenario.SLOW) && asked.tag() % 4 > 0;
    return hasKey ? new Fairness("tenant-" + asked.tag() % 2, 1 + (int) (asked.tag() % 3)) : null;
  }

  /**
   * One of an API at a time for each tenant, a few of all, some not too often, and some not at all
   * until an operator lets them.
   */
  private static TaskLimits limits(TaskTrack.Asked asked) {
    if (!asked.queue().handler().equals(TaskScenario.SLOW)) {
      return TaskLimits.NONE;
    }
    return switch ((int) (asked.tag() % 6)) {
      case 0 -> TaskLimits.of(List.of("api:all", "tenant:a"));
      case 1 -> TaskLimits.of(List.of("tenant:b", "api:all"));
      case 2 -> TaskLimits.of(List.of("rated"));
      case 3 -> TaskLimits.of(List.of("rated", "tenant:a", "free"));
      case 4 -> TaskLimits.of(List.of(CLOSED));
      default -> TaskLimits.NONE;
    };
  }

  private void limitByKey() {
    limit("api:all", new TaskQueueLimit(3, null, null));
    limit("tenant:*", new TaskQueueLimit(2, null, null));
    limit("rated", new TaskQueueLimit(4, 2.0, 2));
    limit(CLOSED, new TaskQueueLimit(0, null, null));
  }

  /** Nothing but a sweep wakes those that wait. */
  private void open() {
    world.store.removeKeyLimit(new LimitPattern(CLOSED));
    world.storeRules.unlimited(new LimitPattern(CLOSED));
  }

  private void limit(String pattern, TaskQueueLimit limit) {
    world.store.setKeyLimit(new LimitPattern(pattern), limit);
    world.storeRules.limited(new LimitPattern(pattern), limit);
  }

  private void scheduleSome() {
    List<TaskTrack> tasks = new ArrayList<>();
    boolean areOnce = random.nextInt(4) == 0;
    int name = random.nextInt(IDEMPOTENCY_KEYS);
    for (int i = random.nextInt(4) == 0 ? random.nextInt(2, 6) : 1; i > 0; i--) {
      tasks.add(
          task(
              anyQueue(anyHandler()),
              anyDelay(),
              areOnce ? anyIdempotency((name + i) % IDEMPOTENCY_KEYS) : null,
              random.nextInt(6) == 0 ? random.nextLong(6_000_000) : null));
    }
    call(tasks);
  }

  /** Up to five tasks that wait for each other, and for tasks that were accepted before. */
  private void scheduleGraph() {
    List<TaskTrack> tasks = new ArrayList<>();
    List<TaskSpec> specs = new ArrayList<>();
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      TaskTrack task =
          task(random.nextInt(3) == 0 ? TaskScenario.SLOW : TaskScenario.QUICK, anyDelay() / 4);
      List<TaskSpec.After> after = new ArrayList<>();
      for (int member = 0; member < tasks.size(); member++) {
        if (random.nextBoolean()) {
          OnFailure onFailure = anyOnFailure();
          task.after.add(new TaskTrack.Awaited(tasks.get(member), onFailure));
          after.add(new TaskSpec.After(new TaskGraph.Predecessor.Member(member), onFailure));
        }
      }
      TaskTrack stored = anyAccepted();
      TaskStoreObserver.Row row = stored == null ? null : stored.row;
      if (stored != null && row != null && random.nextBoolean()) {
        OnFailure onFailure = anyOnFailure();
        task.after.add(new TaskTrack.Awaited(stored, onFailure));
        after.add(new TaskSpec.After(new TaskGraph.Predecessor.Stored(row.id()), onFailure));
      }
      tasks.add(task);
      specs.add(spec(task).after(after));
    }
    call(tasks, specs, false);
  }

  /**
   * A batch, tasks that join it, some of them perhaps when it is closed, and tasks that wait for
   * it; sometimes its cancel.
   */
  private void createBatch() {
    TaskHandler handler = random.nextBoolean() ? TaskScenario.QUICK : TaskScenario.SLOW;
    BatchTrack batch =
        new BatchTrack(
            new BatchId(TaskId.at(world.trueTime.micros() / 1_000, 0, random.nextLong()).value()));
    world.ledger.asked(batch);
    onSomeNode(node -> node.store.createBatch(new NewBatch(batch.id, handler, null, null)));
    long closes = random.nextLong(1_000_000_000L, 8_000_000_000L);
    for (int i = random.nextInt(6); i > 0; i--) {
      world.kernel.after(
          random.nextLong(closes + 1_000_000_000L), () -> addToBatch(batch, handler));
    }
    for (int i = random.nextInt(1, 3); i > 0; i--) {
      world.kernel.after(random.nextLong(closes + 2_000_000_000L), () -> scheduleBehind(batch));
    }
    for (int i = 0; i < CLOSES; i++) {
      world.kernel.after(closes + i * 2_000_000_000L, () -> close(batch));
    }
    if (random.nextInt(3) == 0) {
      world.kernel.after(
          closes + random.nextLong(3_000_000_000L),
          () -> onSomeNode(node -> node.store.cancelBatch(batch.id, null, 100)));
    }
  }

  private void close(BatchTrack batch) {
    onSomeNode(node -> node.store.closeBatch(batch.id));
  }

  private void addToBatch(BatchTrack batch, TaskHandler handler) {
    List<TaskTrack> tasks = new ArrayList<>();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      TaskTrack task = task(handler, anyDelay() / 4);
      task.batch = batch;
      tasks.add(task);
    }
    call(tasks, tasks.stream().map(task -> spec(task).inBatch(batch.id)).toList(), false);
  }

  private void scheduleBehind(BatchTrack batch) {
    TaskTrack task = task(TaskScenario.QUICK, anyDelay() / 4);
    OnFailure onFailure = anyOnFailure();
    task.after.add(new TaskTrack.Awaited(null, batch, onFailure));
    TaskSpec.After after =
        new TaskSpec.After(new TaskGraph.Predecessor.OfBatch(batch.id), onFailure);
    call(List.of(task), List.of(spec(task).after(List.of(after))), false);
  }

  private OnFailure anyOnFailure() {
    int kind = random.nextInt(10);
    return kind < 5 ? OnFailure.FAIL : kind < 9 ? OnFailure.CONTINUE : OnFailure.BLOCK;
  }

  private @Nullable TaskTrack anyAccepted() {
    return accepted.isEmpty()
        ? null
        : accepted.get(accepted.size() - 1 - random.nextInt(Math.min(accepted.size(), mostBack())));
  }

  private int mostBack() {
    return reachesFarBack && random.nextBoolean() ? Integer.MAX_VALUE : 12;
  }

  private TaskIdempotency anyIdempotency(int name) {
    int kind = random.nextInt(20);
    Window window =
        kind == 0
            ? new Window.Forever()
            : kind < 10
                ? new Window.For(Duration.ofMillis(random.nextLong(500, 20_000)))
                : kind < 14 ? new Window.WhileWaiting() : new Window.WhileUnfinished();
    OnConflict onConflict = CHOICES.get(random.nextInt(CHOICES.size()));
    boolean isDebounce = onConflict == OnConflict.REPLACE && random.nextBoolean();
    Duration maxWait = isDebounce ? Duration.ofMillis(random.nextLong(500, 10_000)) : null;
    return new TaskIdempotency("once-" + name, window, onConflict, maxWait);
  }

  private TaskHandler anyHandler() {
    int kind = random.nextInt(100);
    return kind < 55 ? TaskScenario.QUICK : kind < 88 ? TaskScenario.SLOW : TaskScenario.LATE;
  }

  /** Microseconds from now to the due time. */
  private long anyDelay() {
    int kind = random.nextInt(100);
    if (kind < 25) {
      return -random.nextLong(2_000_000);
    }
    return kind < 75 ? random.nextLong(8_000_000) : random.nextLong(8_000_000, 25_000_000);
  }

  private TaskTrack task(TaskHandler handler, long inMicros) {
    return task(anyQueue(handler), inMicros, null, null);
  }

  private QueueName anyQueue(TaskHandler handler) {
    return new QueueName(handler, random.nextInt(3) == 0 ? 90 : QueueName.DEFAULT);
  }

  /**
   * @param withinMicros of its due time it must begin; null for no such bound
   */
  private TaskTrack task(
      QueueName queue, long inMicros, @Nullable TaskIdempotency once, @Nullable Long withinMicros) {
    boolean stuck = queue.handler().equals(TaskScenario.STUCK);
    boolean mayHaveKey =
        queue.handler().equals(TaskScenario.SLOW)
            && (once == null || once.onConflict() != OnConflict.REPLACE);
    long initial = random.nextLong(100, 1_500);
    long dueMicros = world.trueTime.micros() + inMicros;
    TaskTrack task =
        new TaskTrack(
            new TaskTrack.Asked(
                ++lastTag,
                queue,
                mayHaveKey && random.nextInt(2) == 0
                    ? new OrderingKey("key-" + random.nextInt(KEYS))
                    : null,
                dueMicros,
                once == null
                    ? new RetryPolicy(
                        stuck ? 1_000 : random.nextInt(1, 6),
                        Duration.ofMillis(initial),
                        random.nextInt(1, 4),
                        Duration.ofMillis(initial + random.nextLong(3_000)))
                    : OF_ONE_KEY,
                once,
                withinMicros == null ? null : dueMicros + withinMicros,
                world.kernel.nowNanos()));
    world.ledger.asked(task);
    return task;
  }

  private void call(List<TaskTrack> tasks) {
    call(tasks, tasks.stream().map(this::spec).toList(), false);
  }

  /**
   * @param isRepeat nobody knows what became of the first call; what has idempotency keys can be
   *     asked for again
   */
  private void call(List<TaskTrack> tasks, List<TaskSpec> specs, boolean isRepeat) {
    world.wire.<InsertResult>call(
        callers,
        world.anyNode(random),
        PATIENCE_NANOS,
        (node, call) -> {
          if (!node.tasks().schedule(specs, call)) {
            call.refused();
          }
        },
        new WorkerNetwork.Reply<>() {
          @Override
          public void answered(InsertResult result) {
            if (result instanceof InsertResult.Stored(List<TaskReceipt> receipts)) {
              for (int i = 0; i < receipts.size(); i++) {
                world.ledger.accepted(tasks.get(i), receipts.get(i));
              }
              accepted.addAll(tasks);
            } else {
              refused(tasks, result, isRepeat);
            }
          }

          @Override
          public void failed(boolean hasHappened) {
            boolean isKnown = !hasHappened && !isRepeat;
            if (isKnown) {
              tasks.forEach(world.ledger::refused);
            }
            if (isKnown || tasks.stream().allMatch(task -> task.asked.idempotency() != null)) {
              world.kernel.after(TRIES_AGAIN_NANOS, () -> call(tasks, specs, !isKnown));
            }
          }
        });
  }

  private void refused(List<TaskTrack> tasks, InsertResult why, boolean isRepeat) {
    if (why instanceof InsertResult.Conflict conflict) {
      world.ledger.refused(tasks.get(conflict.index()), conflict);
    } else if (why instanceof InsertResult.UnknownPredecessor unknown) {
      world.ledger.refused(unknown);
    }
    world.ledger.reached(
        REFUSED_BY_A_CLOSED_BATCH,
        why instanceof InsertResult.NotInBatch(_, _, var reason)
            && reason == InsertResult.BatchReason.CLOSED);
    if (!isRepeat) {
      tasks.forEach(world.ledger::refused);
    }
  }

  private TaskSpec spec(TaskTrack task) {
    return new TaskSpec(
        task.asked.queue(),
        task.asked.dueMicros(),
        TaskDetails.of(TaskHistory.payload(task.asked.tag()))
            .withRetryPolicy(task.asked.policy())
            .withKey(task.asked.key())
            .withExecutionTimeout(
                task.asked.queue().handler().equals(TaskScenario.SLOW) && task.asked.tag() % 3 == 1
                    ? AMPLE
                    : null)
            .withStartDeadline(task.asked.startDeadlineMicros())
            .withFairness(world.wiring.keysAreFair() ? fairness(task.asked) : null)
            .withLimits(limits(task.asked)),
        task.asked.idempotency());
  }

  // Changes

  private void change() {
    if (accepted.isEmpty()) {
      return;
    }
    int back = Math.min(accepted.size(), random.nextInt(3) == 0 ? accepted.size() : 8);
    TaskTrack task = accepted.get(accepted.size() - 1 - random.nextInt(back));
    boolean cancel = random.nextInt(3) > 0;
    // Just when the task is due is the most interesting moment.
    long nanos =
        (task.notBeforeMicros - world.trueTime.micros() + random.nextLong(-200_000, 600_000))
            * 1_000;
    long wait = nanos > 0 && nanos < 20_000_000_000L && random.nextBoolean() ? nanos : 0;
    world.kernel.after(
        wait,
        () -> {
          if (cancel) {
            onSomeNode(task, (node, id) -> node.tasks().cancel(id));
          } else {
            long due = rescheduleTo();
            onSomeNode(task, (node, id) -> node.tasks().reschedule(id, due));
          }
        });
  }

  private long rescheduleTo() {
    long last = VirtualClock.EPOCH_MICROS + (world.span().endNanos() - LAST_CHANGE_NANOS) / 1_000;
    return Math.min(last, world.trueTime.micros() + random.nextLong(-500_000, 15_000_000));
  }

  /** A change of a task, on a thread of the node's edge. */
  private interface Change {
    void make(TaskNodeRun node, TaskId id);
  }

  private void onSomeNode(TaskTrack task, Change change) {
    TaskId id = task.row == null ? null : task.row.id();
    if (id != null) {
      onSomeNode(node -> change.make(node, id));
    }
  }

  private void onSomeNode(Consumer<TaskNodeRun> change) {
    world.onSomeNode(random, change);
  }

  // Operators

  private void pause() {
    TaskPause pause =
        new TaskPause(TaskScenario.SLOW, null, TaskPause.Mode.PAUSE, null, "for a while");
    onSomeNode(node -> node.store.setPause(pause));
  }

  private void resume() {
    onSomeNode(node -> node.store.endPause(TaskScenario.SLOW, null));
  }

  /** Limits a queue whose tasks wait for their first worker, which comes later. */
  private void limit() {
    world.store.setLimit(
        requireNonNull(world.store.queues(List.of(LIMITED)).get(LIMITED)),
        new TaskQueueLimit(MOST_LATE, null, null));
    world.storeRules.limited(LIMITED, MOST_LATE);
  }

  // Handlers

  /** Draws the course of an attempt that begins now, which is good once the faults are over. */
  Performance performance(TaskTrack task, int attempt) {
    TaskHandler handler = task.asked.queue().handler();
    long now = world.kernel.nowNanos();
    if (handler.equals(TaskScenario.STUCK)) {
      long left = TaskScenario.UNSTUCK_AT.toNanos() - now;
      return done(Math.max(0, left) + random.nextLong(500_000_000), task);
    }
    if (handler.equals(TaskScenario.FLOODED)) {
      return done(TaskScenario.FLOOD_TASK.toNanos(), task);
    }
    long nanos =
        handler.equals(TaskScenario.QUICK)
            ? random.nextLong(150_000_000)
            : random.nextLong(random.nextInt(3) == 0 ? LONGEST_NANOS : 900_000_000);
    if (now >= world.span().healNanos()) {
      return done(nanos / 4, task);
    }
    int kind = random.nextInt(100);
    if (kind < 3 && !handler.equals(TaskScenario.QUICK)) {
      return new Performance(nanos, new AttemptOutcome.Succeeded(), false, true);
    }
    if (kind < 10) {
      long stubbornNanos = Math.min(LONGEST_NANOS, nanos + STUBBORN_NANOS);
      return new Performance(stubbornNanos, new AttemptOutcome.Succeeded(), true, false);
    }
    return new Performance(nanos, anyOutcome(kind, attempt, task), false, false);
  }

  private AttemptOutcome anyOutcome(int kind, int attempt, TaskTrack task) {
    if (kind < 24) {
      return new AttemptOutcome.RetryLater("attempt " + attempt, RetryLater.class.getName());
    }
    if (kind < 30) {
      return new AttemptOutcome.RetryAfter(
          "not now", RetryLater.class.getName(), Duration.ofMillis(random.nextLong(3_000)));
    }
    if (kind < 32) {
      return new AttemptOutcome.NotBegun();
    }
    if (kind < 36) {
      return new AttemptOutcome.Snoozed(Duration.ofMillis(random.nextLong(3_000)));
    }
    return kind < 41
        ? new AttemptOutcome.Failed("no use", FatalFailure.class.getName())
        : new AttemptOutcome.Succeeded("done by attempt " + attempt + ": " + task);
  }

  private static Performance done(long nanos, TaskTrack task) {
    return new Performance(nanos, new AttemptOutcome.Succeeded("done: " + task), false, false);
  }
}
