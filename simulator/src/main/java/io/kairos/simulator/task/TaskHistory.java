package io.kairos.simulator.task;

import static io.kairos.simulator.kernel.RareState.BEGUN_BESIDE_AN_ABANDONED_HANDLER;
import static io.kairos.simulator.kernel.RareState.BEGUN_ELSEWHERE_DURING_A_PAUSE;
import static io.kairos.simulator.kernel.RareState.DUPLICATE_KEPT;
import static io.kairos.simulator.kernel.RareState.DUPLICATE_REFUSED;
import static io.kairos.simulator.kernel.RareState.HAND_OUT_LOST;
import static io.kairos.simulator.kernel.RareState.LATE_RESULT_REFUSED;
import static io.kairos.simulator.kernel.RareState.PREDECESSOR_NOT_KNOWN_ANY_MORE;
import static io.kairos.simulator.kernel.RareState.REPEATED_CALL_FOUND_ITS_TASK;
import static io.kairos.simulator.kernel.RareState.REPLACEMENT_REFUSED;
import static io.kairos.simulator.kernel.RareState.RESULT_REPEATED;
import static io.kairos.simulator.kernel.RuleNames.IDENTITY;
import static io.kairos.simulator.task.TaskRuleNames.CLAIMED_ONCE;
import static io.kairos.simulator.task.TaskRuleNames.DISJOINT;
import static io.kairos.simulator.task.TaskRuleNames.DURABLE;
import static io.kairos.simulator.task.TaskRuleNames.FINAL;
import static io.kairos.simulator.task.TaskRuleNames.ONCE;
import static io.kairos.simulator.task.TaskRuleNames.STALE;
import static io.kairos.simulator.task.TaskRuleNames.SUCCESSORS;
import static io.kairos.simulator.task.TaskTrack.NEVER;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskIdempotency.OnConflict;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.ReportResult;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.model.task.TaskStoreObserver;
import io.kairos.simulator.kernel.Kernel;
import io.kairos.simulator.kernel.SimulationHistory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The history of one simulation of tasks: what callers asked for and were told, what the store
 * changed, what workers performed and reported. Checkers judge by it. Tasks are known by the tag in
 * their payload.
 */
public final class TaskHistory extends SimulationHistory {
  private final Map<Long, TaskTrack.Asked> asked = new HashMap<>();

  /** The task that stands for a request; a task that the request has replaced is not its own. */
  private final Map<Long, TaskTrack> byTag = new LinkedHashMap<>();

  private final Map<TaskId, TaskTrack> byId = new LinkedHashMap<>();
  private final Map<BatchId, BatchTrack> batches = new LinkedHashMap<>();
  private final Map<Once, TaskTrack> byIdempotency = new HashMap<>();
  private final Map<ScheduleId, List<TaskTrack>> runs = new LinkedHashMap<>();

  /** An idempotency key. */
  private record Once(TaskHandler handler, String key) {}

  TaskHistory(Kernel kernel, boolean keepsLines) {
    super(kernel, keepsLines);
  }

  public static byte[] payload(long tag) {
    return ByteBuffer.allocate(Long.BYTES).putLong(tag).array();
  }

  static long tag(byte[] payload) {
    return ByteBuffer.wrap(payload).getLong();
  }

  Collection<TaskTrack> tasks() {
    Set<TaskTrack> all = new LinkedHashSet<>(byTag.values());
    all.addAll(byId.values());
    return all;
  }

  /** A batch that somebody is about to create. */
  void asked(BatchTrack batch) {
    batches.put(batch.id, batch);
  }

  Collection<BatchTrack> batches() {
    return batches.values();
  }

  /** Runs of a schedule, oldest first. */
  public List<TaskTrack> runsOf(ScheduleId schedule) {
    return runs.getOrDefault(schedule, List.of());
  }

  /** A task as it is stored: one that somebody asked for, or a run that a schedule makes. */
  TaskTrack arriving(NewTask task) {
    ScheduleId schedule = task.schedule();
    if (schedule == null) {
      return arriving(tag(task.details().payload()));
    }
    TaskTrack known = byId.get(task.id());
    if (known != null) {
      return known;
    }
    long tag = tag(task.details().payload());
    TaskTrack run =
        new TaskTrack(
            new TaskTrack.Asked(
                tag,
                TaskScenario.queueOf(tag),
                task.details().key(),
                task.dueMicros(),
                requireNonNull(task.details().retryPolicy()),
                null,
                task.details().startDeadlineMicros(),
                nowNanos()));
    runs.computeIfAbsent(schedule, _ -> new ArrayList<>()).add(run);
    return run;
  }

  /** Once more, if there was an idempotency key, whose window may be over. */
  private TaskTrack arriving(long tag) {
    TaskTrack task = byTag(tag);
    if (task.row == null || task.asked.idempotency() == null) {
      return task;
    }
    TaskTrack again = new TaskTrack(requireNonNull(asked.get(tag)));
    byTag.put(tag, again);
    return again;
  }

  TaskTrack byTag(long tag) {
    TaskTrack task = byTag.get(tag);
    check(task != null, IDENTITY, () -> "a task that nobody asked for: tag " + tag);
    return requireNonNull(task);
  }

  /** Null when no task was ever stored under the id. */
  @Nullable TaskTrack byId(TaskId id) {
    return byId.get(id);
  }

  TaskTrack stored(TaskId id) {
    TaskTrack task = byId.get(id);
    check(task != null, DURABLE, () -> "a task that is not stored: " + id);
    return requireNonNull(task);
  }

  /** Tasks that are stored and have not ended and must not overtake this one, nor be overtaken. */
  List<TaskTrack> besides(TaskTrack task) {
    OrderingKey key = task.asked.key();
    if (key == null) {
      return List.of();
    }
    List<TaskTrack> others = new ArrayList<>();
    for (TaskTrack other : byId.values()) {
      if (other != task
          && key.equals(other.asked.key())
          && other.asked.queue().handler().equals(task.asked.queue().handler())
          && !other.isFinished()
          && (other.row == null || other.row.state() != TaskState.AWAITING)) {
        others.add(other);
      }
    }
    return others;
  }

  /** Number of tasks of a queue that are being performed, by the store. */
  long performed(QueueName queue) {
    return byId.values().stream()
        .filter(task -> task.asked.queue().equals(queue))
        .filter(task -> task.row != null && task.row.state() == TaskState.PROCESSING)
        .count();
  }

  /** Number of tasks that are being performed, by the store, of those whose rows are such. */
  long performed(Predicate<TaskStoreObserver.Row> which) {
    return byId.values().stream()
        .flatMap(task -> Stream.ofNullable(task.row))
        .filter(row -> row.state() == TaskState.PROCESSING && which.test(row))
        .count();
  }

  // Callers

  void asked(TaskTrack task) {
    asked.put(task.asked.tag(), task.asked);
    byTag.put(task.asked.tag(), task);
    note(task.asked.tag(), () -> "asked for " + task + ", due " + millis(task.asked.dueMicros()));
  }

  void stored(TaskTrack task, TaskStoreObserver.Row row) {
    byId.put(row.id(), task);
  }

  /** Its idempotency key stands for this task from now on. Returns for which it stood before. */
  @Nullable TaskTrack takesKey(TaskTrack task) {
    TaskIdempotency idempotency = task.asked.idempotency();
    return idempotency == null
        ? null
        : byIdempotency.put(new Once(task.asked.queue().handler(), idempotency.key()), task);
  }

  /** A task has become what another request asks for. */
  void replaced(TaskTrack task, TaskTrack.Asked by) {
    task.asked = by.replacing(task.asked);
    task.tags.add(by.tag());
    byTag.put(by.tag(), task);
  }

  /** The request that a new task is made for. */
  TaskTrack.Asked asked(NewTask task) {
    return requireNonNull(asked.get(tag(task.details().payload())));
  }

  /** A caller was told that the task is accepted, or which one stands for it. */
  void accepted(TaskTrack task, TaskReceipt receipt) {
    note(101, () -> "accepted " + task);
    TaskTrack stored = byId.get(receipt.id());
    boolean isItself = stored != null && stored.tags.contains(task.tag);
    boolean isKept = receipt.duplicate() && task.asked.isOnConflict(OnConflict.KEEP);
    check(
        isItself || (isKept && stored != null && stored.asked.hasIdempotencyKeyOf(task.asked)),
        receipt.duplicate() ? ONCE : DURABLE,
        () -> task + " was answered as accepted under " + receipt + ", which is " + stored);
    requireNonNull(stored).acceptedAtNanos = nowNanos();
    if (isKept) {
      reached(isItself ? REPEATED_CALL_FOUND_ITS_TASK : DUPLICATE_KEPT);
    }
  }

  /** A caller was told that its idempotency key is taken. */
  void refused(TaskTrack task, InsertResult.Conflict conflict) {
    TaskTrack existing = byId.get(conflict.existing());
    check(
        existing != null && existing.asked.hasIdempotencyKeyOf(task.asked),
        ONCE,
        () -> task + " was refused for the sake of " + existing);
    reached(
        conflict.reason() == InsertResult.Reason.EXISTS ? DUPLICATE_REFUSED : REPLACEMENT_REFUSED);
  }

  /** A caller was told that a task or batch that its own is to wait for is not known. */
  void refused(InsertResult.UnknownPredecessor unknown) {
    TaskTrack task = byId.get(unknown.predecessor());
    BatchTrack batch = batches.get(new BatchId(unknown.predecessor().value()));
    check(
        batch == null ? task != null && task.isForgotten() : !batch.isStored || batch.end() != null,
        SUCCESSORS,
        () -> (batch == null ? task : batch) + " was answered as not known");
    reached(PREDECESSOR_NOT_KNOWN_ANY_MORE, task != null);
  }

  /** A caller was told that nothing has happened. */
  void refused(TaskTrack task) {
    check(
        task.storedAtNanos == NEVER,
        DURABLE,
        () -> task + " was answered as refused and is stored");
  }

  // Workers

  /** A node gives claimed tasks to a worker. */
  void handedOut(String worker, List<ClaimedTask> work) {
    for (ClaimedTask one : work) {
      TaskTrack task = stored(one.task().id());
      note(102, () -> "handed " + task + " to " + worker);
      TaskTrack.Asked claimed = task.claims.get(one.task().fence());
      check(
          claimed != null,
          CLAIMED_ONCE,
          () -> task + " is handed out under " + one.task().fence() + ", which is no claim's");
      check(
          tag(one.details().payload()) == requireNonNull(claimed).tag()
              && one.queue().equals(claimed.queue()),
          IDENTITY,
          () -> task + " is handed out as another task");
      String other = task.handedOut.putIfAbsent(one.task().fence(), worker);
      check(
          other == null,
          CLAIMED_ONCE,
          () -> task + " is handed to " + worker + " although " + other + " has it");
    }
  }

  /** An answer of a node got lost. */
  void lostAnswer(Object answer) {
    reached(
        HAND_OUT_LOST,
        answer instanceof List<?> list
            && !list.isEmpty()
            && list.getFirst() instanceof ClaimedTask);
  }

  /**
   * A worker begins to perform a task: nobody else may be doing so, but one that stands still or
   * has just come back and does not know it yet, or a handler that was abandoned because it ignores
   * that it is to stop.
   */
  TaskTrack.Execution began(FencedTask task, WorkerRun worker) {
    TaskTrack track = stored(task.id());
    note(103, () -> worker + " begins " + track);
    for (TaskTrack.Execution other : track.executing) {
      boolean isAbandoned = other.worker().hasAbandoned(other);
      check(
          isAbandoned || other.worker().isExcused(),
          DISJOINT,
          () -> worker + " begins " + track + " during the " + other);
      reached(isAbandoned ? BEGUN_BESIDE_AN_ABANDONED_HANDLER : BEGUN_ELSEWHERE_DURING_A_PAUSE);
    }
    TaskTrack.Execution execution =
        new TaskTrack.Execution(track, task.fence(), worker, nowNanos());
    track.executing.add(execution);
    return execution;
  }

  void ended(TaskTrack.Execution execution) {
    execution.task().executing.remove(execution);
    note(104, () -> "ended the " + execution);
  }

  /** A handler ended by itself. */
  void performed(FencedTask task, AttemptOutcome outcome) {
    stored(task.id()).performed.put(task.fence(), outcome);
  }

  /** Notes how an attempt ended, before the report. */
  void concluded(FencedTask task, AttemptOutcome outcome) {
    TaskTrack track = stored(task.id());
    AttemptOutcome performed = track.performed.get(task.fence());
    check(
        performed == null || performed.equals(outcome),
        FINAL,
        () -> "%s of %s is reported as %s".formatted(performed, track, outcome));
    track.concluded.put(task.fence(), outcome);
  }

  /** A report was answered. */
  void reported(FencedTask task, AttemptOutcome outcome, ReportResult result) {
    TaskTrack track = stored(task.id());
    note(105, () -> "a report of " + outcome + " for " + track + " was answered with " + result);
    AttemptOutcome settled = track.settled.get(task.fence());
    if (result instanceof ReportResult.Accepted) {
      check(
          outcome.equals(settled),
          STALE,
          () -> "the report under " + task.fence() + " was accepted for " + track);
    } else {
      reached(settled == null ? LATE_RESULT_REFUSED : RESULT_REPEATED);
    }
  }
}
