package io.kairos.engine.task.port;

import io.kairos.domain.task.TaskId;
import io.kairos.engine.node.StoreUnavailable;
import org.jspecify.annotations.Nullable;

/**
 * The result of following some ends of tasks.
 *
 * @param last the last end that was looked at; null after the last of all ends
 * @param found number of ends that were followed, and of successors that became ready late
 * @param failure the first failure to follow an end; null for none
 */
public record FollowedEnds(@Nullable TaskId last, int found, @Nullable StoreUnavailable failure) {
  /** Throws the failure, if there is one. */
  public void throwFailure() {
    StoreUnavailable thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
  }
}
