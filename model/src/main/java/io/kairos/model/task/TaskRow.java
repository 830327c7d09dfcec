package io.kairos.model.task;

import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.ErrorFingerprint;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskLife;
import io.kairos.domain.task.TaskProgress;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.HeldAttempt;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.port.operator.TaskView.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One stored task. Only {@link TaskTable} changes it, because it keeps the indexes. */
final class TaskRow {
  static final Comparator<TaskRow> EARLIEST_FIRST =
      Comparator.<TaskRow>comparingLong(row -> row.triggerMicros).thenComparing(TaskRow::id);

  static final Comparator<TaskRow> DEADLINE_FIRST =
      Comparator.comparingLong(
          row -> Objects.requireNonNullElse(row.startDeadline(), Long.MAX_VALUE));

  static final Comparator<TaskRow> DUE_FIRST =
      Comparator.<TaskRow>comparingLong(row -> row.dueMicros).thenComparing(TaskRow::id);

  private NewTask task;
  private final TaskId id;
  final long createdMicros;
  private final Deque<Failure> failures = new ArrayDeque<>();
  private TaskResult result = TaskResult.NONE;

  private TaskLife life;
  long dueMicros;
  long triggerMicros;
  @Nullable String holder;

  /** Set for a task with an ordering key. */
  @Nullable OrderingKeyId keyId;

  private boolean isNeverTooLate;

  /** An operator has put the task back, which is no run of its schedule since then. */
  private boolean isPutBack;

  /** The start of the attempt under way, or of the one that has ended the task. */
  private @Nullable Instant attemptStartedAt;

  private long attemptUntilMicros = Long.MAX_VALUE;
  private @Nullable String performedBy;

  /** Said of the attempt with the fence. */
  private TaskView.@Nullable Reported reported;

  private long reportedFence;

  /** Of the attempt with the fence. */
  private @Nullable Instant heartbeatAt;

  private long heartbeatFence;

  /** Set for finished tasks only. */
  long finishedMicros;

  TaskRow(NewTask task, TaskLife life, long createdMicros) {
    this.task = task;
    this.life = life;
    id = task.id();
    this.createdMicros = createdMicros;
    dueMicros = task.dueMicros();
    triggerMicros = task.dueMicros();
  }

  TaskId id() {
    return id;
  }

  TaskState state() {
    return life.state();
  }

  int attempt() {
    return life.attempt();
  }

  /** The caller whose worker has claimed the latest attempt; null when that is not known. */
  @Nullable String performedBy() {
    return performedBy;
  }

  @Nullable Instant attemptStartedAt() {
    return attemptStartedAt;
  }

  long fence() {
    return life.fence();
  }

  boolean cancelRequested() {
    return life.cancelRequested();
  }

  boolean hasOrderingKey() {
    return task.details().key() != null;
  }

  /**
   * Replaces the task, which keeps its id, batch, attempts and failures.
   *
   * @param maxWait it is due at most this long after it was stored, and a retry is not made earlier
   *     by it; null for no such bound
   */
  void become(NewTask other, @Nullable Duration maxWait) {
    long trigger = Long.MIN_VALUE;
    task = other.inBatch(task.batch());
    dueMicros = other.dueMicros();
    if (maxWait != null) {
      dueMicros = Math.min(dueMicros, createdMicros + EpochMicros.lengthOf(maxWait));
      boolean waitsForRetry =
          state() == TaskState.RETRIABLE_FAILURE && triggerMicros != ModelKeyLimits.NEVER;
      trigger = waitsForRetry ? triggerMicros : trigger;
    }
    happens(TaskEvent.REPLACE, Math.max(dueMicros, trigger));
  }

  QueueId queue() {
    return task.queue();
  }

  /** The schedule that made the task, also of one that was put back; null for none. */
  @Nullable ScheduleId madeBy() {
    return task.schedule();
  }

  /** The schedule that counts the task as its run; null for none. */
  @Nullable ScheduleId schedule() {
    return isPutBack ? null : task.schedule();
  }

  @Nullable TraceContext traceContext() {
    return task.details().traceContext();
  }

  int payloadBytes() {
    return task.details().bytes();
  }

  FencedTask fenced() {
    return new FencedTask(id, fence());
  }

  TaskStoreObserver.Row seen() {
    return new TaskStoreObserver.Row(
        id,
        task,
        state(),
        holder,
        fence(),
        attempt(),
        dueMicros,
        triggerMicros,
        cancelRequested(),
        result);
  }

  boolean isWaiting() {
    return state() == TaskState.NEW || state() == TaskState.RETRIABLE_FAILURE;
  }

  boolean isBlocked() {
    return state() == TaskState.BLOCKED;
  }

  /** True while the task waits for its next attempt after a failed one. */
  boolean isFailing() {
    return attempt() > 0
        && (state() == TaskState.RETRIABLE_FAILURE || state() == TaskState.ENQUEUED);
  }

  @Nullable Long startDeadline() {
    return isNeverTooLate ? null : task.details().startDeadlineMicros();
  }

  boolean isTooLateAt(long nowMicros) {
    Long deadline = startDeadline();
    return deadline != null && deadline < nowMicros;
  }

  /** Applies an event, the only way to change the state; throws if it is illegal in this state. */
  void happens(TaskEvent event) {
    boolean wasPerformed = state() == TaskState.PROCESSING;
    life =
        life.after(event)
            .orElseThrow(() -> new IllegalStateException(event + " cannot happen to " + life));
    if (!life.state().isHeld()) {
      holder = null;
    }
    if (!wasPerformed || !(state() == TaskState.PROCESSING || state().isFinished())) {
      attemptStartedAt = null;
    }
  }

  /** Applies an event; from the trigger on, the task may be acted on. */
  void happens(TaskEvent event, long nextTriggerMicros) {
    happens(event);
    triggerMicros = nextTriggerMicros;
  }

  boolean allows(TaskEvent event) {
    return life.after(event).isPresent();
  }

  /** Applies an event by which a holder takes the task. */
  void isTaken(TaskEvent event, String by, long untilMicros) {
    happens(event);
    holder = by;
    triggerMicros = untilMicros;
  }

  /** A worker begins an attempt. */
  void isClaimed(TaskClaim claim, long untilMicros, long nowMicros) {
    isTaken(TaskEvent.CLAIM, claim.worker(), untilMicros);
    performedBy = claim.caller();
    attemptStartedAt = EpochMicros.toInstant(nowMicros);
    Duration timeout = task.details().executionTimeout();
    attemptUntilMicros =
        timeout == null
            ? Long.MAX_VALUE
            : nowMicros + EpochMicros.lengthOf(timeout.plus(TaskStore.TIMEOUT_GRACE));
  }

  /** True when the attempt has taken longer than the task's execution timeout. */
  boolean isOverTimeAt(long nowMicros) {
    return attemptUntilMicros <= nowMicros;
  }

  /** Applies an event that ends the task, or asks its worker to end it. */
  void ends(TaskEvent event, long nowMicros) {
    happens(event);
    finishedMicros = nowMicros;
  }

  /** Applies an event after which the task waits, or ends if a cancel was requested. */
  void waitsOrEnds(TaskEvent event, long nextTriggerMicros, long nowMicros) {
    happens(event, nextTriggerMicros);
    finishedMicros = nowMicros;
  }

  /** The batch that the task has joined; null for none. */
  @Nullable BatchId batch() {
    return task.batch();
  }

  @Nullable OrderingKey key() {
    return task.details().key();
  }

  @Nullable Fairness fairness() {
    return task.details().fairness();
  }

  TaskLimits limits() {
    return task.details().limits();
  }

  @Nullable CollectionName collection() {
    return task.details().collection();
  }

  /**
   * Puts the task back for an operator, without a start deadline.
   *
   * @param triggerMicros the due time or, of what is the first of its ordering key again, now
   */
  void beginsAnew(long dueMicros, long triggerMicros) {
    this.dueMicros = dueMicros;
    isNeverTooLate = true;
    isPutBack = true;
    performedBy = null;
    happens(TaskEvent.REDRIVE, triggerMicros);
  }

  /** The last failure of a task that has not succeeded; empty when there was none. */
  Optional<Failure> lastFailure() {
    return state() == TaskState.SUCCEEDED
        ? Optional.empty()
        : Optional.ofNullable(failures.peekLast());
  }

  /** Error of the last failure; empty when there was none. */
  String lastError() {
    return lastFailure().map(Failure::error).orElse("");
  }

  /**
   * True when the last failure has this class and fingerprint.
   *
   * @param errorClass empty for any
   * @param fingerprint empty for any
   */
  boolean failedWith(String errorClass, String fingerprint) {
    return (errorClass.isEmpty() && fingerprint.isEmpty())
        || lastFailure()
            .filter(last -> errorClass.isEmpty() || errorClass.equals(last.errorClass()))
            .filter(last -> fingerprint.isEmpty() || fingerprint.equals(last.fingerprint()))
            .isPresent();
  }

  long createdMicros() {
    return createdMicros;
  }

  /** Notes the failure of an attempt that is about to end by the event. */
  void noteFailure(TaskEvent event, String error, String errorClass, String stack, long nowMicros) {
    if (failures.size() == TaskStore.MOST_FAILURES) {
      failures.removeFirst();
    }
    List<Failure> earlier = List.copyOf(failures);
    failures.clear();
    for (int i = 0; i < earlier.size(); i++) {
      boolean keeps = i > earlier.size() - TaskStore.MOST_STACKS;
      failures.add(keeps ? earlier.get(i) : earlier.get(i).withoutStack());
    }
    failures.add(
        new Failure(
            attempt(),
            state() == TaskState.PROCESSING ? attemptStartedAt : null,
            EpochMicros.toInstant(nowMicros),
            life.after(event).map(TaskLife::state).orElse(null),
            error,
            errorClass,
            ErrorFingerprint.of(errorClass, error),
            stack));
  }

  void noteResult(TaskResult value) {
    result = value;
  }

  /** The result, for those who look for a text in it. */
  TaskResult result() {
    return result;
  }

  /** Notes what the worker of the attempt under way says of it. */
  void noteProgress(TaskProgress progress, long nowMicros) {
    reported = new TaskView.Reported(progress, EpochMicros.toInstant(nowMicros));
    reportedFence = fence();
  }

  /** Notes a heartbeat of the worker of the attempt under way. */
  void noteHeartbeat(long nowMicros) {
    heartbeatAt = EpochMicros.toInstant(nowMicros);
    heartbeatFence = fence();
  }

  EnqueuedTask asEnqueued(long waitedForMicros) {
    return new EnqueuedTask(
        fenced(), queue(), dueMicros, waitedForMicros, attempt(), keyId, task.details());
  }

  /**
   * @param ofHandler the policy of a task that was given none
   */
  HeldAttempt asAttempt(RetryPolicy ofHandler, long nowMicros) {
    String by = holder;
    if (by == null) {
      throw new IllegalStateException("not held: " + id());
    }
    return new HeldAttempt(
        fenced(), state(), attempt(), policy(ofHandler), by, isOverTimeAt(nowMicros));
  }

  private RetryPolicy policy(RetryPolicy ofHandler) {
    RetryPolicy own = task.details().retryPolicy();
    return own == null ? ofHandler : own;
  }

  TaskView asView(
      QueueName name,
      RetryPolicy ofHandler,
      @Nullable ScheduleName ofSchedule,
      boolean withPayload) {
    boolean finished = state().isFinished();
    boolean processing = state() == TaskState.PROCESSING;
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
            state(),
            attempt(),
            finished || triggerMicros == ModelKeyLimits.NEVER
                ? null
                : EpochMicros.toInstant(triggerMicros),
            finished ? EpochMicros.toInstant(finishedMicros) : null,
            holder,
            cancelRequested(),
            attemptStartedAt,
            List.copyOf(failures),
            withPayload ? result : TaskResult.NONE,
            performedBy,
            processing && reportedFence == fence() ? reported : null,
            processing && heartbeatFence == fence() ? heartbeatAt : null),
        task.submittedBy(),
        ofSchedule,
        task.batch());
  }

  /** True in states that keep the payload: the task may run, or be put back. */
  private boolean keepsPayload() {
    return switch (state()) {
      case NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, AWAITING, BLOCKED, PAUSED, FAILED, DEAD ->
          true;
      case SUCCEEDED, CANCELLED -> false;
    };
  }
}
