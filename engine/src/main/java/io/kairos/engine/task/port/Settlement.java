package io.kairos.engine.task.port;

import io.kairos.domain.task.ErrorText;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskEvent;
import io.kairos.domain.task.TaskState;
import java.time.Duration;

/** What is to become of a held task. Applies only under its fence. */
public sealed interface Settlement {
  FencedTask task();

  /** What it is in the life of the task. */
  default TaskEvent event() {
    return switch (this) {
      case Finish(_, var state, _, _) ->
          switch (state) {
            case SUCCEEDED -> TaskEvent.SUCCEED;
            case FAILED -> TaskEvent.FAIL;
            case DEAD -> TaskEvent.EXHAUST;
            case CANCELLED -> TaskEvent.STOP;
            case NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, BLOCKED, PAUSED ->
                throw new IllegalStateException(state + " is not an end");
          };
      case Retry _ -> TaskEvent.RETRY;
      case NotBegun _ -> TaskEvent.NOT_BEGUN;
      case Requeue _ -> TaskEvent.RELEASE;
    };
  }

  /** Only if the trigger has passed by the store's clock: a heartbeat may have come in between. */
  boolean onlyIfLapsed();

  /**
   * It has ended.
   *
   * @param state a finished one
   * @param text noted as this attempt's failure when the state is failed or dead, as its result
   *     when it is succeeded and there is a text; kept as {@link ErrorText} bounds it
   */
  record Finish(FencedTask task, TaskState state, String text, boolean onlyIfLapsed)
      implements Settlement {
    public Finish {
      if (!state.isFinished()) {
        throw new IllegalArgumentException(state + " is not an end");
      }
      text = ErrorText.bounded(text);
    }
  }

  /**
   * An attempt failed; the task waits this long by the store's clock. If a cancel was asked for in
   * the meantime, it ends as cancelled instead.
   *
   * @param error noted as this attempt's failure; kept as {@link ErrorText} bounds it
   */
  record Retry(FencedTask task, Duration delay, String error, boolean onlyIfLapsed)
      implements Settlement {
    public Retry {
      error = ErrorText.bounded(error);
    }
  }

  /**
   * Its worker has not begun it: it waits again with no attempt counted, a first one in its place
   * by due time, a retry for now. If a cancel was asked for in the meantime, it ends as cancelled
   * instead.
   */
  record NotBegun(FencedTask task) implements Settlement {
    @Override
    public boolean onlyIfLapsed() {
      return false;
    }
  }

  /**
   * It fell out of a node's memory before it was claimed: it waits again, and no attempt is
   * counted.
   */
  record Requeue(FencedTask task) implements Settlement {
    @Override
    public boolean onlyIfLapsed() {
      return true;
    }
  }
}
