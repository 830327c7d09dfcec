package io.kairos.edge.task;

import static io.kairos.api.text.GivenValue.ifGiven;

import com.google.protobuf.Timestamp;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.AwaitTaskResponse;
import io.kairos.api.v1.BatchScheduleTasksResponse;
import io.kairos.api.v1.CancelTaskResponse;
import io.kairos.api.v1.ChangeTasksResponse;
import io.kairos.api.v1.Failure;
import io.kairos.api.v1.Progress;
import io.kairos.api.v1.RetryPolicy;
import io.kairos.api.v1.ScheduleTaskResponse;
import io.kairos.api.v1.Task;
import io.kairos.api.v1.TaskGraph;
import io.kairos.domain.task.ErrorText;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchCounts;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.ChangeResult;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.TaskView;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.IntFunction;

/** Writes tasks as API messages. */
public final class TaskAnswers {
  public static final WireEnum<TaskState, Task.State> STATES =
      new WireEnum<>(TaskState.class, Task.State.class);

  /** Enough for the longest text, at four bytes a character. */
  private static final int MOST_TEXT_BYTES = 4 * ErrorText.LONGEST;

  private TaskAnswers() {}

  /**
   * The answer for a task alone.
   *
   * @param edge the field of what an edge names, by its index
   */
  static ScheduleTaskResponse scheduled(InsertResult result, IntFunction<String> edge) {
    return scheduled(receipts(result, _ -> "", edge).getFirst());
  }

  private static ScheduleTaskResponse scheduled(TaskReceipt receipt) {
    return ScheduleTaskResponse.newBuilder()
        .setId(receipt.id().toString())
        .setDuplicate(receipt.duplicate())
        .build();
  }

  /**
   * The answer for a batch.
   *
   * @param edge the field of what an edge names, by its index
   */
  static BatchScheduleTasksResponse scheduledAll(InsertResult result, IntFunction<String> edge) {
    BatchScheduleTasksResponse.Builder answer = BatchScheduleTasksResponse.newBuilder();
    receipts(result, index -> "tasks[" + index + "].", edge)
        .forEach(receipt -> answer.addTasks(scheduled(receipt)));
    return answer.build();
  }

  private static List<TaskReceipt> receipts(
      InsertResult result, IntFunction<String> task, IntFunction<String> edge) {
    return switch (result) {
      case InsertResult.Stored(var receipts) -> receipts;
      case InsertResult.Conflict conflict ->
          throw Refusals.taken(task.apply(conflict.index()) + "idempotency.key", conflict);
      case InsertResult.Exhausted(var handler, var delay) ->
          throw Refusals.exhausted(handler, delay);
      case InsertResult.TooManyQueues() -> throw Refusals.tooManyQueues();
      case InsertResult.UnknownPredecessor(int index, _) ->
          throw Refusals.notFound(
              edge.apply(index)
                  + ": there is no "
                  + (edge.apply(index).endsWith(".batch") ? "batch" : "task")
                  + " with this id, or it has been pruned");
      case InsertResult.OlderNodes(int nodes) ->
          throw Refusals.notInState(
              messageOf(edge.apply(0))
                  + ": tasks may wait for others when all nodes know that, and nodes run that may not: "
                  + nodes
                  + "; stop them, or replace them by this version first");
      case InsertResult.NotInBatch(int index, _, var reason) ->
          throw notInBatch(task.apply(index) + "batch", reason);
      case InsertResult.Busy(), InsertResult.QueueRetired() -> throw Refusals.busy();
    };
  }

  /** The field of the message that has this field. */
  private static String messageOf(String field) {
    return field.substring(0, field.lastIndexOf('.'));
  }

  private static RuntimeException notInBatch(String field, InsertResult.BatchReason reason) {
    return switch (reason) {
      // Alike, or a caller could find out whether others have a batch with this id.
      case UNKNOWN, OF_OTHER_HANDLER ->
          Refusals.notFound(
              field + ": the task's handler has no batch with this id, or it has been pruned");
      case CLOSED -> Refusals.notInState(field + ": the batch is closed: no more tasks join it");
      case FULL ->
          Refusals.notInState(
              "%s: the batch would have more than %,d tasks; nothing has been done: put the rest into another batch"
                  .formatted(field, BatchCounts.MOST_TASKS));
    };
  }

  /**
   * A graph.
   *
   * @param members the queues of the tasks that are shown
   * @param withPruned true for a caller who may see edges from tasks of which nothing else is known
   */
  static TaskGraph graph(
      TaskGraphView view, SortedMap<TaskId, QueueName> members, boolean withPruned) {
    TaskGraph.Builder answer = TaskGraph.newBuilder().setMore(view.hasMore());
    members.forEach((id, queue) -> {
      TaskState state = view.states().get(id);
      if (state != null) {
        answer
            .addTasksBuilder()
            .setId(id.toString())
            .setHandler(queue.handler().wireName())
            .setState(STATES.write(state));
      }
    });
    for (TaskGraphView.Edge edge : view.edges()) {
      boolean isPruned = !view.states().containsKey(edge.edge().predecessor());
      if (members.containsKey(edge.edge().successor())
          && (isPruned ? withPruned : members.containsKey(edge.edge().predecessor()))) {
        answer
            .addEdgesBuilder()
            .setPredecessor(edge.edge().predecessor().toString())
            .setSuccessor(edge.edge().successor().toString())
            .setOnFailure(GraphRequests.ON_FAILURES.write(edge.edge().onFailure()))
            .setOpen(edge.isOpen());
      }
    }
    return answer.build();
  }

  static CancelTaskResponse cancelled(CancelResult result) {
    return CancelTaskResponse.newBuilder()
        .setOutcome(
            switch (result) {
              case CANCELLED -> CancelTaskResponse.Outcome.CANCELLED;
              case REQUESTED -> CancelTaskResponse.Outcome.REQUESTED;
              case TOO_LATE -> CancelTaskResponse.Outcome.TOO_LATE;
              case UNKNOWN -> throw Refusals.unknownTask();
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
    return task(view).toBuilder()
        .clearPayload()
        .clearFailures()
        .clearResult()
        .clearResultValue()
        .clearProgress()
        .clearPool()
        .build();
  }

  /** A task with what lists leave out. */
  static Task whole(TaskView view) {
    Task.Builder task = taskWithoutFailures(view);
    ifGiven(view.details().traceContext(), trace -> task.setTraceparent(trace.traceparent()));
    view.progress()
        .failures()
        .forEach(failure -> task.addFailures(failure(failure).setStack(failure.stack())));
    TaskResult result = view.progress().result();
    if (!result.isNone()) {
      task.setResultValue(result(result));
      String text = result.value().length <= MOST_TEXT_BYTES ? result.text() : "";
      if (text.length() <= ErrorText.LONGEST && text.indexOf('\0') < 0) {
        task.setResult(text);
      }
    }
    return task.build();
  }

  static io.kairos.api.v1.TaskResult result(TaskResult result) {
    return io.kairos.api.v1.TaskResult.newBuilder()
        .setValue(PayloadBytes.out(result.value()))
        .setContentType(result.contentType())
        .build();
  }

  static AwaitTaskResponse awaited(Optional<TaskView> ended) {
    AwaitTaskResponse.Builder answer = AwaitTaskResponse.newBuilder();
    ended.ifPresent(view -> answer.setTask(whole(view)));
    return answer.build();
  }

  /** A task as lists have it. */
  static Task task(TaskView view) {
    Task.Builder task = taskWithoutFailures(view);
    view.listed().progress().failures().forEach(failure -> task.addFailures(failure(failure)));
    return task.build();
  }

  private static Task.Builder taskWithoutFailures(TaskView view) {
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
            .setCancelRequested(progress.cancelRequested());
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
    details.limits().names().forEach(name -> task.addLimits(name.value()));
    ifGiven(details.startDeadlineMicros(), micros -> task.setStartDeadline(timestamp(micros)));
    ifGiven(progress.nextTrigger(), at -> task.setNextTrigger(ProtoTime.of(at)));
    ifGiven(progress.finishedAt(), at -> task.setFinishedAt(ProtoTime.of(at)));
    ifGiven(progress.holder(), task::setHolder);
    ifGiven(view.submittedBy(), task::setSubmittedBy);
    ifGiven(view.batch(), batch -> task.setBatch(batch.toString()));
    ifGiven(view.schedule(), schedule -> task.setSchedule(schedule.value()));
    ifGiven(progress.performedBy(), task::setPerformedBy);
    ifGiven(progress.attemptStartedAt(), at -> task.setAttemptStartedAt(ProtoTime.of(at)));
    ifGiven(progress.reported(), reported -> task.setProgress(progress(reported)));
    ifGiven(progress.heartbeatAt(), at -> task.setHeartbeatAt(ProtoTime.of(at)));
    return task;
  }

  private static Progress progress(TaskView.Reported reported) {
    return Progress.newBuilder()
        .setPercent(reported.progress().percent())
        .setNote(reported.progress().note())
        .setAt(ProtoTime.of(reported.at()))
        .build();
  }

  private static Failure.Builder failure(TaskView.Failure failure) {
    Failure.Builder wire =
        Failure.newBuilder()
            .setAttempt(failure.attempt())
            .setAt(ProtoTime.of(failure.at()))
            .setError(failure.error())
            .setErrorClass(failure.errorClass())
            .setFingerprint(failure.fingerprint());
    ifGiven(failure.startedAt(), at -> wire.setStartedAt(ProtoTime.of(at)));
    ifGiven(failure.outcome(), outcome -> wire.setOutcome(STATES.write(outcome)));
    return wire;
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
