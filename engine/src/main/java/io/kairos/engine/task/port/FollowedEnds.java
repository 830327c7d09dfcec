package io.kairos.engine.task.port;

import io.kairos.domain.task.TaskId;
import io.kairos.engine.node.StoreUnavailable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of following some ends of tasks.
 *
 * @param last the last end that was looked at; null after the last of all ends
 * @param found number of ends that were followed, and of successors that became ready late
 * @param failure the first failure to follow an end; null for none
 * @param enqueued successors that were enqueued on the calling node
 * @param inDoubt true when others may have been enqueued there without an answer
 */
public record FollowedEnds(
    @Nullable TaskId last,
    int found,
    @Nullable StoreUnavailable failure,
    List<EnqueuedTask> enqueued,
    boolean inDoubt) {
  public FollowedEnds {
    enqueued = List.copyOf(enqueued);
  }

  /** A result without enqueued tasks. */
  public FollowedEnds(@Nullable TaskId last, int found, @Nullable StoreUnavailable failure) {
    this(last, found, failure, List.of(), false);
  }

  /** Throws the failure, if there is one. */
  public void throwFailure() {
    StoreUnavailable thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
  }
}
