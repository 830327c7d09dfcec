package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskState;
import java.time.Duration;

/** What is to become of a held task. Applies only under its fence. */
public sealed interface Settlement {
  FencedTask task();

  /** Only if the trigger has passed by the store's clock: a heartbeat may have come in between. */
  boolean onlyIfLapsed();

  /**
   * It has ended.
   *
   * @param state a finished one
   * @param error empty when nothing failed
   */
  record Finish(FencedTask task, TaskState state, String error, boolean onlyIfLapsed)
      implements Settlement {
    public Finish {
      if (!state.isFinished()) {
        throw new IllegalArgumentException(state + " is not an end");
      }
    }
  }

  /** An attempt failed; it waits this long by the store's clock. */
  record Retry(FencedTask task, Duration delay, String error, boolean onlyIfLapsed)
      implements Settlement {}

  /** It fell out of a node's memory before it was claimed: it waits again, and no attempt is counted. */
  record Requeue(FencedTask task) implements Settlement {
    @Override
    public boolean onlyIfLapsed() {
      return true;
    }
  }
}
