package io.kairos.testkit.task;

import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Attempt;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.TaskView;
import io.kairos.engine.task.port.TaskView.Failure;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One stored task. Changed only by {@link TaskTable}, which keeps it findable. */
final class TaskRow {
  static final int KEPT_FAILURES = 10;

  static final Comparator<TaskRow> EARLIEST_FIRST =
      Comparator.<TaskRow>comparingLong(row -> row.triggerMicros).thenComparing(TaskRow::id);

  static final Comparator<TaskRow> DEADLINE_FIRST =
      Comparator.comparingLong(
          row -> Objects.requireNonNullElse(row.startDeadline(), Long.MAX_VALUE));

  static final Comparator<TaskRow> DUE_FIRST =
      Comparator.<TaskRow>comparingLong(row -> row.dueMicros).thenComparing(TaskRow::id);

  private NewTask task;
  private final TaskId id;
  private final long createdMicros;
  private final Deque<Failure> failures = new ArrayDeque<>();
  private String result = "";

  TaskState state = TaskState.NEW;
  long dueMicros;
  long triggerMicros;
  long fence;
  int attempt;
  @Nullable String holder;

  /** Of a task with an ordering key. */
  @Nullable KeyId keyId;

  boolean cancelRequested;
  private boolean isNeverTooLate;

  /** Of finished ones only. */
  long finishedMicros;

  TaskRow(NewTask task, long createdMicros) {
    this.task = task;
    id = task.id();
    this.createdMicros = createdMicros;
    dueMicros = task.dueMicros();
    triggerMicros = task.dueMicros();
  }

  TaskId id() {
    return id;
  }

  boolean hasOrderingKey() {
    return task.details().key() != null;
  }

  /** It keeps its id, its attempts and its failures. */
  void become(NewTask other) {
    task = other;
    dueMicros = other.dueMicros();
    letGo(dueMicros);
  }

  QueueId queue() {
    return task.queue();
  }

  @Nullable ScheduleId schedule() {
    return task.schedule();
  }

  int payloadBytes() {
    return task.details().bytes();
  }

  FencedTask fenced() {
    return new FencedTask(id(), fence);
  }

  TaskObserver.Row seen() {
    return new TaskObserver.Row(
        id, task, state, holder, fence, attempt, dueMicros, triggerMicros, cancelRequested);
  }

  boolean isWaiting() {
    return state == TaskState.NEW || state == TaskState.RETRIABLE_FAILURE;
  }

  boolean isBlocked() {
    return state == TaskState.BLOCKED;
  }

  /** An attempt has failed, and it waits for the next. */
  boolean isFailing() {
    return attempt > 0 && (state == TaskState.RETRIABLE_FAILURE || state == TaskState.ENQUEUED);
  }

  @Nullable Long startDeadline() {
    return isNeverTooLate ? null : task.details().startDeadlineMicros();
  }

  boolean isTooLateAt(long nowMicros) {
    Long deadline = startDeadline();
    return deadline != null && deadline < nowMicros;
  }

  /** It leaves its queue until others of its key have ended. */
  void block() {
    letGo(dueMicros);
    state = TaskState.BLOCKED;
  }

  /** It waits for its turn again. */
  void unblock() {
    state = attempt == 0 ? TaskState.NEW : TaskState.RETRIABLE_FAILURE;
  }

  /** Somebody takes it; whatever changes the holder raises the fence. */
  void hold(TaskState as, String by, long untilMicros) {
    state = as;
    holder = by;
    fence++;
    triggerMicros = untilMicros;
  }

  /** Nobody holds it any more. */
  void letGo(long nextTriggerMicros) {
    state = attempt == 0 ? TaskState.NEW : TaskState.RETRIABLE_FAILURE;
    holder = null;
    fence++;
    triggerMicros = nextTriggerMicros;
  }

  @Nullable OrderingKey key() {
    return task.details().key();
  }

  @Nullable CollectionName collection() {
    return task.details().collection();
  }

  /** Held back with its collection, in the place where it waits. */
  void pause() {
    state = TaskState.PAUSED;
    fence++;
  }

  void unpause() {
    state = attempt == 0 ? TaskState.NEW : TaskState.RETRIABLE_FAILURE;
  }

  void finish(TaskState as, long nowMicros) {
    state = as;
    holder = null;
    cancelRequested = false;
    finishedMicros = nowMicros;
  }

  /** It is put back, its attempts counted from zero, and never too late. */
  void revive(long nowMicros) {
    attempt = 0;
    isNeverTooLate = true;
    letGo(nowMicros);
  }

  /** Put back by an operator: its attempts are counted from zero, and it is never too late. */
  void beginAnew(long dueMicros) {
    state = TaskState.NEW;
    this.dueMicros = dueMicros;
    triggerMicros = dueMicros;
    attempt = 0;
    isNeverTooLate = true;
    fence++;
  }

  /** Of the last failure; empty when there was none. */
  String lastError() {
    Failure last = failures.peekLast();
    return last == null ? "" : last.error();
  }

  void noteFailure(String error, long nowMicros) {
    makeRoom();
    failures.add(new Failure(attempt, EpochMicros.toInstant(nowMicros), error));
  }

  /** Kept with the failures, as one of the ten. */
  void noteResult(String text) {
    makeRoom();
    result = text;
  }

  private void makeRoom() {
    if (failures.size() == KEPT_FAILURES) {
      failures.removeFirst();
    }
  }

  EnqueuedTask asEnqueued(long waitedForMicros) {
    return new EnqueuedTask(
        fenced(), queue(), dueMicros, waitedForMicros, attempt, keyId, task.details());
  }

  /**
   * @param ofHandler the policy of a task that was given none
   */
  Attempt asAttempt(RetryPolicy ofHandler) {
    String by = holder;
    if (by == null) {
      throw new IllegalStateException("not held: " + id());
    }
    return new Attempt(fenced(), state, attempt, policy(ofHandler), by);
  }

  private RetryPolicy policy(RetryPolicy ofHandler) {
    RetryPolicy own = task.details().retryPolicy();
    return own == null ? ofHandler : own;
  }

  TaskView asView(QueueName name, RetryPolicy ofHandler, boolean withPayload) {
    boolean finished = state.isFinished();
    return new TaskView(
        id(),
        name,
        task.details()
            .withPayload(
                withPayload && keepsPayload() ? task.details().payload() : TaskView.NO_PAYLOAD)
            .withRetryPolicy(policy(ofHandler))
            .withStartDeadline(startDeadline()),
        EpochMicros.toInstant(dueMicros),
        EpochMicros.toInstant(createdMicros),
        new TaskView.Progress(
            state,
            attempt,
            finished ? null : EpochMicros.toInstant(triggerMicros),
            finished ? EpochMicros.toInstant(finishedMicros) : null,
            holder,
            cancelRequested,
            List.copyOf(failures),
            result));
  }

  /** What can be put back keeps it. */
  private boolean keepsPayload() {
    return switch (state) {
      case NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, BLOCKED, PAUSED, FAILED, DEAD -> true;
      case SUCCEEDED, CANCELLED -> false;
    };
  }
}
