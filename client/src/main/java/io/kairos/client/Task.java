package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import io.kairos.client.batch.BatchId;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
import io.kairos.client.task.TaskState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task as a node returned it.
 *
 * @param priority 0 to 100, higher priorities first
 * @param runAt the earliest instant at which it may run
 * @param payload empty in lists
 * @param attempt number of attempts begun so far
 * @param nextTrigger when the task changes next by itself: its due time, its next retry or the end
 *     of its lease; null when it is finished
 * @param finishedAt when the task finished; null before that
 * @param attemptStartedAt start of the attempt under way, or of the attempt that ended the task;
 *     null for none
 * @param failures failures of attempts, the latest last: at most a hundred, of which the last ten
 *     have stacks; in lists the last ten, without stacks
 * @param holder holder of the lease: a node while the task is enqueued, a worker while it is being
 *     performed; empty for none
 * @param cancelRequested true when a cancel was requested while the task was being performed
 * @param key ordering key; empty for none
 * @param collection collection (a label) of the task; empty for none
 * @param startDeadline no attempt begins after this time; null for no deadline
 * @param result the text of {@code resultValue}; empty for none
 * @param submittedBy caller that submitted the task, or {@code sql:} and a role of the database;
 *     empty where no callers are configured, and for tasks of schedules and messages
 * @param performedBy caller whose worker has claimed the latest attempt; empty where no callers are
 *     configured, for pushes to a pool, and before the first attempt
 * @param schedule name of the schedule whose run it is; empty for none
 * @param traceparent W3C trace context of the caller that scheduled the task; empty for none, and
 *     in lists
 * @param resultValue result that the successful attempt left, such as the return value of a handler
 *     or the answer of a pool's endpoint; null for none, and in lists
 * @param progress what the worker of the attempt under way has said last of it; null for nothing
 * @param fairnessKey fairness key; empty for none
 * @param fairnessWeight weight of the fairness key, 1 to 1000; 0 without one
 * @param heartbeatAt last heartbeat of the attempt under way; null before its first, and after the
 *     attempt
 * @param batch batch that the task has joined; null for none
 * @param limits names of limits that hold for the task, by name
 */
@SuppressWarnings("ArrayRecordComponent") // the payload is copied
public record Task(
    TaskId id,
    String handler,
    int priority,
    TaskState state,
    Instant runAt,
    byte[] payload,
    int attempt,
    RetryPolicy retryPolicy,
    Instant createdAt,
    @Nullable Instant nextTrigger,
    @Nullable Instant finishedAt,
    @Nullable Instant attemptStartedAt,
    List<Failure> failures,
    String holder,
    boolean cancelRequested,
    String key,
    String collection,
    @Nullable Instant startDeadline,
    String result,
    String submittedBy,
    String performedBy,
    String schedule,
    String traceparent,
    @Nullable TaskResult resultValue,
    @Nullable Progress progress,
    String fairnessKey,
    int fairnessWeight,
    @Nullable Instant heartbeatAt,
    @Nullable BatchId batch,
    List<String> limits) {
  /**
   * How far an attempt has come.
   *
   * @param percent 0 to 100
   * @param note for people; empty for none
   * @param at when a node was told
   */
  public record Progress(int percent, String note, Instant at) {}

  /**
   * The failure of one attempt.
   *
   * @param attempt number of the attempt, from 1
   * @param startedAt when the attempt began; null when the task ended without an attempt, or failed
   *     under an earlier version
   * @param at when the attempt ended
   * @param outcome state of the task after the attempt; null when it failed under an earlier
   *     version
   * @param error error text, at most 2,000 characters
   * @param errorClass class of the error, such as the name of the exception's class, at most 200
   *     characters; empty for none
   * @param stack stack trace of the exception and its causes, or what the worker gave, at most
   *     8,000 characters; empty for none
   * @param fingerprint equal for errors of one class whose texts differ only in numbers, ids and
   *     quoted words; empty when it failed under an earlier version
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
    static Failure of(io.kairos.api.v1.Failure wire) {
      return new Failure(
          wire.getAttempt(),
          TaskProtos.orNull(wire.hasStartedAt(), wire.getStartedAt()),
          ProtoTime.of(wire.getAt()),
          wire.getOutcome() == io.kairos.api.v1.Task.State.STATE_UNSPECIFIED
              ? null
              : TaskProtos.state(wire.getOutcome()),
          wire.getError(),
          wire.getErrorClass(),
          wire.getFingerprint(),
          wire.getStack());
    }
  }

  static Task of(io.kairos.api.v1.Task wire) {
    TaskResult value = TaskProtos.result(wire);
    return new Task(
        TaskId.of(wire.getId()),
        wire.getHandler(),
        wire.getPriority(),
        TaskProtos.state(wire.getState()),
        ProtoTime.of(wire.getRunAt()),
        wire.getPayload().toByteArray(),
        wire.getAttempt(),
        TaskProtos.retryPolicy(wire.getRetryPolicy()),
        ProtoTime.of(wire.getCreatedAt()),
        TaskProtos.orNull(wire.hasNextTrigger(), wire.getNextTrigger()),
        TaskProtos.orNull(wire.hasFinishedAt(), wire.getFinishedAt()),
        TaskProtos.orNull(wire.hasAttemptStartedAt(), wire.getAttemptStartedAt()),
        wire.getFailuresList().stream().map(Failure::of).toList(),
        wire.getHolder(),
        wire.getCancelRequested(),
        wire.getKey(),
        wire.getCollection(),
        TaskProtos.orNull(wire.hasStartDeadline(), wire.getStartDeadline()),
        value == null ? "" : value.text(),
        wire.getSubmittedBy(),
        wire.getPerformedBy(),
        wire.getSchedule(),
        wire.getTraceparent(),
        value,
        wire.hasProgress()
            ? new Progress(
                wire.getProgress().getPercent(),
                wire.getProgress().getNote(),
                ProtoTime.of(wire.getProgress().getAt()))
            : null,
        wire.getFairnessKey(),
        wire.getFairnessWeight(),
        TaskProtos.orNull(wire.hasHeartbeatAt(), wire.getHeartbeatAt()),
        wire.getBatch().isEmpty() ? null : BatchId.of(wire.getBatch()),
        List.copyOf(wire.getLimitsList()));
  }

  /** Returns a copy of the payload. */
  @Override
  public byte[] payload() {
    return payload.clone();
  }

  /** Without the payload, which may be secret. */
  @Override
  public String toString() {
    return "Task[" + handler + " " + id + " " + state + "]";
  }
}
