package io.kairos.edge.task;

import static io.kairos.api.text.GivenValue.ifGiven;

import com.google.protobuf.Timestamp;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.BatchScheduleTasksResponse;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.ChangeTasksResponse;
import io.kairos.api.v1.Failure;
import io.kairos.api.v1.RetryPolicy;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.Task;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.ChangeResult;
import io.kairos.engine.task.port.operator.TaskView;
import java.util.List;
import java.util.function.IntFunction;

/** Writes tasks as API messages. */
public final class TaskAnswers {
  public static final WireEnum<TaskState, Task.State> STATES =
      new WireEnum<>(TaskState.class, Task.State.class);

  private TaskAnswers() {}

  static ScheduleTaskResponse scheduled(InsertResult result) {
    return scheduled(receipts(result, index -> "idempotency.key").getFirst());
  }

  private static ScheduleTaskResponse scheduled(TaskReceipt receipt) {
    return ScheduleTaskResponse.newBuilder()
        .setId(receipt.id().toString())
        .setDuplicate(receipt.duplicate())
        .build();
  }

  static BatchScheduleTasksResponse scheduledAll(InsertResult result) {
    BatchScheduleTasksResponse.Builder answer = BatchScheduleTasksResponse.newBuilder();
    receipts(result, index -> "tasks[" + index + "].idempotency.key")
        .forEach(receipt -> answer.addTasks(scheduled(receipt)));
    return answer.build();
  }

  private static List<TaskReceipt> receipts(InsertResult result, IntFunction<String> key) {
    return switch (result) {
      case InsertResult.Stored(var receipts) -> receipts;
      case InsertResult.Conflict conflict ->
          throw CallRefusals.taken(key.apply(conflict.index()), conflict);
      case InsertResult.Exhausted(var handler, var delay) ->
          throw CallRefusals.exhausted(handler, delay);
      case InsertResult.TooManyQueues() -> throw CallRefusals.tooManyQueues();
      case InsertResult.Busy(), InsertResult.QueueRetired() -> throw CallRefusals.busy();
    };
  }

  static CancelTaskResponse cancelled(CancelResult result) {
    return CancelTaskResponse.newBuilder()
        .setOutcome(
            switch (result) {
              case CANCELLED -> CancelTaskResponse.Outcome.CANCELLED;
              case REQUESTED -> CancelTaskResponse.Outcome.REQUESTED;
              case TOO_LATE -> CancelTaskResponse.Outcome.TOO_LATE;
              case UNKNOWN -> throw CallRefusals.unknownTask();
            })
        .build();
  }

  static ChangeTasksResponse changed(ChangeResult result) {
    ChangeTasksResponse.Builder answer =
        ChangeTasksResponse.newBuilder().setCount(result.count()).setAt(ProtoTime.of(result.at()));
    ifGiven(result.next(), next -> answer.setMore(true).setNextAfter(next.toString()));
    return answer.build();
  }

  /**
   * The task for a caller that may submit: payload, pool, failures and result need the role READ.
   */
  static Task forSubmitter(TaskView view) {
    return task(view).toBuilder().clearPayload().clearFailures().clearResult().clearPool().build();
  }

  /** A task with what lists leave out. */
  static Task whole(TaskView view) {
    Task task = task(view);
    TraceContext trace = view.details().traceContext();
    return trace == null ? task : task.toBuilder().setTraceparent(trace.traceparent()).build();
  }

  static Task task(TaskView view) {
    TaskDetails details = view.details();
    TaskView.Progress progress = view.progress();
    Task.Builder task =
        Task.newBuilder()
            .setId(view.id().toString())
            .setHandler(view.queue().handler().wireName())
            .setPriority(view.queue().priority())
            .setRunAt(ProtoTime.of(view.dueAt()))
            .setCreatedAt(ProtoTime.of(view.createdAt()))
            .setState(STATES.write(progress.state()))
            .setAttempt(progress.attempt())
            .setCancelRequested(progress.cancelRequested())
            .setResult(progress.result());
    if (details.bytes() > 0) {
      switch (view.queue().handler()) {
        case PoolName pool -> PoolAnswers.request(task, pool, details.payload());
        case HandlerName _ -> task.setPayload(PayloadBytes.out(details.payload()));
      }
    }
    ifGiven(details.retryPolicy(), policy -> task.setRetryPolicy(policy(policy)));
    ifGiven(details.key(), key -> task.setKey(key.value()));
    ifGiven(details.collection(), collection -> task.setCollection(collection.value()));
    ifGiven(
        details.fairness(),
        fairness -> task.setFairnessKey(fairness.key()).setFairnessWeight(fairness.weight()));
    ifGiven(details.startDeadlineMicros(), micros -> task.setStartDeadline(timestamp(micros)));
    ifGiven(progress.nextTrigger(), at -> task.setNextTrigger(ProtoTime.of(at)));
    ifGiven(progress.finishedAt(), at -> task.setFinishedAt(ProtoTime.of(at)));
    ifGiven(progress.holder(), task::setHolder);
    ifGiven(view.submittedBy(), task::setSubmittedBy);
    ifGiven(view.schedule(), schedule -> task.setSchedule(schedule.value()));
    ifGiven(progress.performedBy(), task::setPerformedBy);
    ifGiven(progress.attemptStartedAt(), at -> task.setAttemptStartedAt(ProtoTime.of(at)));
    progress.failures().forEach(failure -> task.addFailures(failure(failure)));
    return task.build();
  }

  private static Failure failure(TaskView.Failure failure) {
    Failure.Builder wire =
        Failure.newBuilder()
            .setAttempt(failure.attempt())
            .setAt(ProtoTime.of(failure.at()))
            .setError(failure.error())
            .setErrorClass(failure.errorClass())
            .setFingerprint(failure.fingerprint());
    ifGiven(failure.startedAt(), at -> wire.setStartedAt(ProtoTime.of(at)));
    ifGiven(failure.outcome(), outcome -> wire.setOutcome(STATES.write(outcome)));
    return wire.build();
  }

  /** Writes a retry policy with all of its fields. */
  public static RetryPolicy policy(io.kairos.domain.task.RetryPolicy policy) {
    return RetryPolicy.newBuilder()
        .setMaxAttempts(policy.maxAttempts())
        .setInitialBackoff(ProtoTime.of(policy.initial()))
        .setFactor(policy.factor())
        .setMaxBackoff(ProtoTime.of(policy.max()))
        .build();
  }

  /**
   * Writes a time.
   *
   * @param micros microseconds since 1970
   */
  public static Timestamp timestamp(long micros) {
    return ProtoTime.of(EpochMicros.toInstant(micros));
  }
}
