package io.kairos.engine.task.port;

import io.kairos.domain.task.AttemptEnd;
import io.kairos.domain.task.ErrorFingerprint;
import io.kairos.domain.task.ErrorText;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskEvent;
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
      case AttemptEnd.Finish(TaskState state, String text, String errorClass) ->
          new Finish(task, state, text, errorClass, by);
      case AttemptEnd.Retry(Duration delay, String error, String errorClass) ->
          new Retry(task, delay, error, errorClass, by);
      case AttemptEnd.GiveBack() -> new NotBegun(task, by);
    };
  }

  /** Who must hold the task. */
  default ReportedBy by() {
    return ReportedBy.ANY;
  }

  /** The event that the settlement is for the task. */
  default TaskEvent event() {
    return switch (this) {
      case Finish(_, var state, _, _, _) ->
          switch (state) {
            case SUCCEEDED -> TaskEvent.SUCCEED;
            case FAILED -> TaskEvent.FAIL;
            case DEAD -> TaskEvent.EXHAUST;
            case CANCELLED -> TaskEvent.STOP;
            case NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, AWAITING, BLOCKED, PAUSED ->
                throw new IllegalStateException(state + " is not an end");
          };
      case Retry _ -> TaskEvent.RETRY;
      case NotBegun _ -> TaskEvent.NOT_BEGUN;
      case Requeue _ -> TaskEvent.RELEASE;
    };
  }

  /**
   * The task has ended.
   *
   * @param state a finished state
   * @param text the attempt's failure when the state is failed or dead; its result when the state
   *     is succeeded, empty for none; bounded by {@link ErrorText}
   * @param errorClass the class of the failure, bounded by {@link ErrorText}; empty for none
   */
  record Finish(FencedTask task, TaskState state, String text, String errorClass, ReportedBy by)
      implements Settlement {
    public Finish(FencedTask task, TaskState state, String text) {
      this(task, state, text, "", ReportedBy.ANY);
    }

    public Finish {
      if (!state.isFinished()) {
        throw new IllegalArgumentException(state + " is not an end");
      }
      text = ErrorText.bounded(text);
      errorClass = ErrorText.boundedClass(errorClass);
    }

    /** The fingerprint of the failure. */
    public String fingerprint() {
      return ErrorFingerprint.of(errorClass, text);
    }
  }

  /**
   * An attempt failed; the task waits this long by the store's clock. If a cancellation was
   * requested meanwhile, the task ends as cancelled instead.
   *
   * @param error the attempt's failure, bounded by {@link ErrorText}
   * @param errorClass the class of the failure, bounded by {@link ErrorText}; empty for none
   */
  record Retry(FencedTask task, Duration delay, String error, String errorClass, ReportedBy by)
      implements Settlement {
    public Retry(FencedTask task, Duration delay, String error) {
      this(task, delay, error, "", ReportedBy.ANY);
    }

    public Retry {
      error = ErrorText.bounded(error);
      errorClass = ErrorText.boundedClass(errorClass);
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
   * The task left a node's memory before it was claimed: it waits again without counting an
   * attempt. Only for what is reaped.
   */
  record Requeue(FencedTask task) implements Settlement {}
}
