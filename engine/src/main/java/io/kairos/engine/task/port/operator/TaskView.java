package io.kairos.engine.task.port.operator;

import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskProgress;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.port.TaskStore;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task as shown to operators.
 *
 * @param details the task's details. The payload is empty when it was not asked for or is no longer
 *     kept, the retry policy is the handler's present one when the task has none, and a start
 *     deadline that was lifted is left out
 * @param submittedBy the caller who submitted it, or {@code sql:} and a role of the database; null
 *     for none
 * @param schedule the schedule whose run it is; null for none, and for one that is deleted
 * @param batch the batch that it has joined, also one that was removed; null for none
 */
public record TaskView(
    TaskId id,
    QueueName queue,
    TaskDetails details,
    Instant dueAt,
    Instant createdAt,
    Progress progress,
    @Nullable String submittedBy,
    @Nullable ScheduleName schedule,
    @Nullable BatchId batch) {
  /** The payload of tasks that are shown without one. */
  public static final byte[] NO_PAYLOAD = {};

  /** Shows a task that no caller has submitted. */
  public TaskView(
      TaskId id,
      QueueName queue,
      TaskDetails details,
      Instant dueAt,
      Instant createdAt,
      Progress progress) {
    this(id, queue, details, dueAt, createdAt, progress, null, null, null);
  }

  /**
   * The progress of a task.
   *
   * @param attempt number of attempts begun so far
   * @param nextTrigger null when the task has ended
   * @param finishedAt null while the task has not ended
   * @param holder null for none
   * @param attemptStartedAt the start of the attempt under way, or of the one that has ended the
   *     task; null for none
   * @param failures the latest last, at most {@link TaskStore#MOST_FAILURES}, of which the last
   *     {@link TaskStore#MOST_STACKS} have stacks; in lists at most {@link
   *     TaskListing#MOST_FAILURES}, without stacks
   * @param result the value of the attempt that succeeded; {@link TaskResult#NONE} for none, and in
   *     lists
   * @param performedBy the caller whose worker has claimed the latest attempt; null for none
   * @param reported how far the attempt under way has come; null while its worker has said nothing
   * @param heartbeatAt when the worker of the attempt under way sent its last heartbeat; null while
   *     it has sent none
   */
  public record Progress(
      TaskState state,
      int attempt,
      @Nullable Instant nextTrigger,
      @Nullable Instant finishedAt,
      @Nullable String holder,
      boolean cancelRequested,
      @Nullable Instant attemptStartedAt,
      List<Failure> failures,
      TaskResult result,
      @Nullable String performedBy,
      @Nullable Reported reported,
      @Nullable Instant heartbeatAt) {
    /** The progress of a task that no worker of a caller has claimed, and that has said nothing. */
    public Progress(
        TaskState state,
        int attempt,
        @Nullable Instant nextTrigger,
        @Nullable Instant finishedAt,
        @Nullable String holder,
        boolean cancelRequested,
        @Nullable Instant attemptStartedAt,
        List<Failure> failures,
        TaskResult result) {
      this(
          state,
          attempt,
          nextTrigger,
          finishedAt,
          holder,
          cancelRequested,
          attemptStartedAt,
          failures,
          result,
          null,
          null,
          null);
    }

    private Progress withFailures(List<Failure> others) {
      return new Progress(
          state,
          attempt,
          nextTrigger,
          finishedAt,
          holder,
          cancelRequested,
          attemptStartedAt,
          others,
          result,
          performedBy,
          reported,
          heartbeatAt);
    }
  }

  /**
   * What the worker of the attempt under way has said last of its progress.
   *
   * @param at when a node was told
   */
  public record Reported(TaskProgress progress, Instant at) {}

  /**
   * The failure of one attempt.
   *
   * @param startedAt null when the task ended without an attempt, or was stored by an earlier
   *     version
   * @param at when the attempt ended
   * @param outcome the state of the task after it; null when stored by an earlier version
   * @param errorClass the name of an exception's class, or another kind of error; empty for none
   * @param fingerprint of class and error; empty when stored by an earlier version
   * @param stack where the error was thrown; empty for none, and when later ones are kept
   */
  public record Failure(
      int attempt,
      @Nullable Instant startedAt,
      Instant at,
      @Nullable TaskState outcome,
      String error,
      String errorClass,
      String fingerprint,
      String stack) {
    /** This failure without where its error was thrown. */
    public Failure withoutStack() {
      return stack.isEmpty()
          ? this
          : new Failure(attempt, startedAt, at, outcome, error, errorClass, fingerprint, "");
    }
  }

  /** This task as lists have it, apart from its payload: with its latest failures, no stacks. */
  public TaskView listed() {
    List<Failure> failures = progress.failures();
    List<Failure> latest =
        failures.subList(Math.max(0, failures.size() - TaskListing.MOST_FAILURES), failures.size());
    return new TaskView(
        id,
        queue,
        details,
        dueAt,
        createdAt,
        progress.withFailures(latest.stream().map(Failure::withoutStack).toList()),
        submittedBy,
        schedule,
        batch);
  }

  /** This task without its payload. */
  public TaskView withoutPayload() {
    return new TaskView(
        id,
        queue,
        details.withPayload(NO_PAYLOAD),
        dueAt,
        createdAt,
        progress,
        submittedBy,
        schedule,
        batch);
  }

  public TaskState state() {
    return progress.state();
  }
}
