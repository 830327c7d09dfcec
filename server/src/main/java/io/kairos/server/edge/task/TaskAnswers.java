package io.kairos.server.edge.task;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import io.kairos.api.v1.CancelResponse;
import io.kairos.api.v1.Failure;
import io.kairos.api.v1.RetryPolicy;
import io.kairos.api.v1.ScheduleBatchResponse;
import io.kairos.api.v1.ScheduleResponse;
import io.kairos.api.v1.Task;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.PoolName;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.CancelResult;
import io.kairos.engine.task.port.InsertResult;
import io.kairos.engine.task.port.Receipt;
import io.kairos.engine.task.port.TaskView;
import io.kairos.server.edge.refusal.Refusals;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What applications are told, in the words of the wire. */
public final class TaskAnswers {
  private static final long MICROS = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;
  private static final Map<Task.State, TaskState> STATES = new EnumMap<>(Task.State.class);

  static {
    for (TaskState state : TaskState.values()) {
      STATES.put(state(state), state);
    }
  }

  private TaskAnswers() {}

  static ScheduleResponse scheduled(InsertResult result) {
    Receipt receipt = receipts(result, index -> "idempotency.key").getFirst();
    return ScheduleResponse.newBuilder()
        .setId(receipt.id().toString())
        .setDuplicate(receipt.duplicate())
        .build();
  }

  static ScheduleBatchResponse scheduledAll(InsertResult result) {
    ScheduleBatchResponse.Builder answer = ScheduleBatchResponse.newBuilder();
    List<Receipt> receipts = receipts(result, index -> "tasks[" + index + "].idempotency.key");
    for (int i = 0; i < receipts.size(); i++) {
      answer.addIds(receipts.get(i).id().toString());
      if (receipts.get(i).duplicate()) {
        answer.addDuplicates(i);
      }
    }
    return answer.build();
  }

  private static List<Receipt> receipts(InsertResult result, IntFunction<String> key) {
    return switch (result) {
      case InsertResult.Stored(var receipts) -> receipts;
      case InsertResult.Conflict conflict ->
          throw Refusals.taken(key.apply(conflict.index()), conflict);
      case InsertResult.Exhausted(var handler, var delay) ->
          throw Refusals.exhausted(handler, delay);
      case InsertResult.TooManyQueues() -> throw Refusals.tooManyQueues();
      case InsertResult.Busy() -> throw Refusals.busy();
    };
  }

  static CancelResponse cancelled(CancelResult result) {
    return CancelResponse.newBuilder()
        .setOutcome(
            switch (result) {
              case CANCELLED -> CancelResponse.Outcome.CANCELLED;
              case REQUESTED -> CancelResponse.Outcome.REQUESTED;
              case TOO_LATE -> CancelResponse.Outcome.TOO_LATE;
              case UNKNOWN -> throw Refusals.unknownTask();
            })
        .build();
  }

  /** What it was given and what came of it is for those who may read. */
  static Task forSubmitter(TaskView view) {
    return task(view).toBuilder().clearPayload().clearFailures().clearResult().clearPool().build();
  }

  static Task task(TaskView view) {
    TaskDetails details = view.details();
    TaskView.Progress progress = view.progress();
    Task.Builder task =
        Task.newBuilder()
            .setId(view.id().toString())
            .setHandler(view.queue().handler().wireName())
            .setPriority(view.queue().priority())
            .setRunAt(timestamp(view.dueAt()))
            .setCreatedAt(timestamp(view.createdAt()))
            .setState(state(progress.state()))
            .setAttempt(progress.attempt())
            .setCancelRequested(progress.cancelRequested())
            .setResult(progress.result());
    if (details.bytes() > 0) {
      switch (view.queue().handler()) {
        case PoolName pool -> PoolAnswers.request(task, pool, details.payload());
        case HandlerName _ -> task.setPayload(Payloads.out(details.payload()));
      }
    }
    if (details.retryPolicy() != null) {
      task.setRetryPolicy(policy(details.retryPolicy()));
    }
    if (details.key() != null) {
      task.setKey(details.key().value());
    }
    if (details.collection() != null) {
      task.setCollection(details.collection().value());
    }
    if (details.startDeadlineMicros() != null) {
      task.setStartDeadline(timestamp(details.startDeadlineMicros().longValue()));
    }
    if (progress.nextTrigger() != null) {
      task.setNextTrigger(timestamp(progress.nextTrigger()));
    }
    if (progress.finishedAt() != null) {
      task.setFinishedAt(timestamp(progress.finishedAt()));
    }
    if (progress.holder() != null) {
      task.setHolder(progress.holder());
    }
    for (TaskView.Failure failure : progress.failures()) {
      task.addFailures(
          Failure.newBuilder()
              .setAttempt(failure.attempt())
              .setAt(timestamp(failure.at()))
              .setError(failure.error()));
    }
    return task.build();
  }

  /** With nothing left out. */
  public static RetryPolicy policy(io.kairos.domain.task.RetryPolicy policy) {
    return RetryPolicy.newBuilder()
        .setMaxAttempts(policy.maxAttempts())
        .setInitialBackoff(duration(policy.initial()))
        .setFactor(policy.factor())
        .setMaxBackoff(duration(policy.max()))
        .build();
  }

  public static Task.State state(TaskState state) {
    return switch (state) {
      case NEW -> Task.State.NEW;
      case ENQUEUED -> Task.State.ENQUEUED;
      case PROCESSING -> Task.State.PROCESSING;
      case RETRIABLE_FAILURE -> Task.State.RETRIABLE_FAILURE;
      case BLOCKED -> Task.State.BLOCKED;
      case PAUSED -> Task.State.PAUSED;
      case SUCCEEDED -> Task.State.SUCCEEDED;
      case FAILED -> Task.State.FAILED;
      case CANCELLED -> Task.State.CANCELLED;
      case DEAD -> Task.State.DEAD;
    };
  }

  /** Null for what is no state. */
  static @Nullable TaskState state(Task.State state) {
    return STATES.get(state);
  }

  public static Duration duration(java.time.Duration length) {
    return Duration.newBuilder().setSeconds(length.getSeconds()).setNanos(length.getNano()).build();
  }

  /** Of microseconds since 1970. */
  public static Timestamp timestamp(long micros) {
    return Timestamp.newBuilder()
        .setSeconds(Math.floorDiv(micros, MICROS))
        .setNanos((int) Math.floorMod(micros, MICROS) * NANOS_PER_MICRO)
        .build();
  }

  public static Timestamp timestamp(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }
}
