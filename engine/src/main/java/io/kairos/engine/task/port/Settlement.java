package io.kairos.engine.task.port;

import io.kairos.domain.task.AttemptEnd;
import io.kairos.domain.task.ErrorFingerprint;
import io.kairos.domain.task.ErrorText;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import java.time.Duration;

/** A change of a held task, which applies only under the task's fence. */
public sealed interface Settlement {
  FencedTask task();

  /**
   * The settlement of an attempt that has ended.
   *
   * @param by who reports it, and must hold the task
   */
  static Settlement of(FencedTask task, AttemptEnd end, ReportedBy by) {
    return switch (end) {
      case AttemptEnd.Finish(
              TaskState state,
              String error,
              String errorClass,
              String stack,
              TaskResult result) ->
          new Finish(task, state, error, errorClass, stack, result, by);
      case AttemptEnd.Retry(Duration delay, String error, String errorClass, String stack) ->
          new Retry(task, delay, error, errorClass, stack, by);
      case AttemptEnd.GiveBack() -> new NotBegun(task, by);
      case AttemptEnd.PutOff(Duration delay) -> new Snooze(task, delay, by);
    };
  }

  /** Who must hold the task. */
  default ReportedBy by() {
    return ReportedBy.ANY;
  }

  /** The event that the settlement is for the task. */
  default TaskEvent event() {
    return switch (this) {
      case Finish finish ->
          switch (finish.state()) {
            case SUCCEEDED -> TaskEvent.SUCCEED;
            case FAILED -> TaskEvent.FAIL;
            case DEAD -> TaskEvent.EXHAUST;
            case CANCELLED -> TaskEvent.STOP;
            case NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, AWAITING, BLOCKED, PAUSED ->
                throw new IllegalStateException(finish.state() + " is not an end");
          };
      case Retry _ -> TaskEvent.RETRY;
      case NotBegun _ -> TaskEvent.NOT_BEGUN;
      case Snooze _ -> TaskEvent.SNOOZE;
      case Requeue _ -> TaskEvent.RELEASE;
    };
  }

  /**
   * The task has ended.
   *
   * @param state a finished state
   * @param error the attempt's failure when the state is failed or dead, bounded by {@link
   *     ErrorText}
   * @param errorClass the class of the failure, bounded by {@link ErrorText}; empty for none
   * @param stack where it was thrown, bounded by {@link ErrorText}; empty for none
   * @param result the value when the state is succeeded; {@link TaskResult#NONE} for none
   */
  record Finish(
      FencedTask task,
      TaskState state,
      String error,
      String errorClass,
      String stack,
      TaskResult result,
      ReportedBy by)
      implements Settlement {
    /** Makes an end without a stack and a value. */
    public Finish(
        FencedTask task, TaskState state, String error, String errorClass, ReportedBy by) {
      this(task, state, error, errorClass, "", TaskResult.NONE, by);
    }

    /** Makes an end that the node itself reports. */
    public Finish(FencedTask task, TaskState state, String error) {
      this(task, state, error, "", ReportedBy.ANY);
    }

    /** Makes a success with a value. */
    public Finish(FencedTask task, TaskResult result) {
      this(task, TaskState.SUCCEEDED, "", "", "", result, ReportedBy.ANY);
    }

    public Finish {
      if (!state.isFinished()) {
        throw new IllegalArgumentException(state + " is not an end");
      }
      if (state != TaskState.SUCCEEDED && !result.isNone()) {
        throw new IllegalArgumentException("a value of a task that is " + state);
      }
      error = ErrorText.bounded(error);
      errorClass = ErrorText.boundedClass(errorClass);
      stack = ErrorText.boundedStack(stack);
    }

    /** The fingerprint of the failure. */
    public String fingerprint() {
      return ErrorFingerprint.of(errorClass, error);
    }
  }

  /**
   * An attempt failed; the task waits this long by the store's clock. If a cancellation was
   * requested meanwhile, the task ends as cancelled instead.
   *
   * @param error the attempt's failure, bounded by {@link ErrorText}
   * @param errorClass the class of the failure, bounded by {@link ErrorText}; empty for none
   * @param stack where it was thrown, bounded by {@link ErrorText}; empty for none
   */
  record Retry(
      FencedTask task, Duration delay, String error, String errorClass, String stack, ReportedBy by)
      implements Settlement {
    /** Makes a retry without a stack. */
    public Retry(FencedTask task, Duration delay, String error, String errorClass, ReportedBy by) {
      this(task, delay, error, errorClass, "", by);
    }

    /** Makes a retry that the node itself reports. */
    public Retry(FencedTask task, Duration delay, String error) {
      this(task, delay, error, "", ReportedBy.ANY);
    }

    public Retry {
      error = ErrorText.bounded(error);
      errorClass = ErrorText.boundedClass(errorClass);
      stack = ErrorText.boundedStack(stack);
    }

    /** The fingerprint of the failure. */
    public String fingerprint() {
      return ErrorFingerprint.of(errorClass, error);
    }
  }

  /**
   * The worker has not begun the task, which waits again without counting an attempt: a first
   * attempt for its due time, a retry for now. If a cancellation was requested meanwhile, the task
   * ends as cancelled instead.
   */
  record NotBegun(FencedTask task, ReportedBy by) implements Settlement {
    public NotBegun(FencedTask task) {
      this(task, ReportedBy.ANY);
    }
  }

  /**
   * The worker puts the task off, which is due again after this delay by the store's clock without
   * counting an attempt; the head of an ordering key stays its head. If a cancellation was
   * requested meanwhile, the task ends as cancelled instead. Does not apply to an attempt that has
   * taken longer than its execution timeout.
   */
  record Snooze(FencedTask task, Duration delay, ReportedBy by) implements Settlement {
    public Snooze(FencedTask task, Duration delay) {
      this(task, delay, ReportedBy.ANY);
    }
  }

  /**
   * The task left a node's memory before it was claimed: it waits again without counting an
   * attempt. Only for what is reaped.
   */
  record Requeue(FencedTask task) implements Settlement {}
}
