package io.kairos.simulator.task;

import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchCounts;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.model.task.TaskStoreObserver;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One batch that is stored, or may be, with the tasks that were stored to join it. */
final class BatchTrack {
  final BatchId id;

  /** Its tasks; their rows are the truth that its counts must agree with. */
  final List<TaskTrack> members = new ArrayList<>();

  boolean isStored;

  boolean isClosed;

  /** True once the store has removed it. */
  boolean isForgotten;

  BatchTrack(BatchId id) {
    this.id = id;
  }

  boolean hasUnfinished() {
    return members.stream().anyMatch(member -> !member.isFinished());
  }

  /** How it has ended by the rows of its tasks; null before it has. */
  @Nullable TaskState end() {
    if (!isClosed || hasUnfinished()) {
      return null;
    }
    if (hasAny(TaskState.CANCELLED)) {
      return TaskState.CANCELLED;
    }
    return hasAny(TaskState.FAILED) || hasAny(TaskState.DEAD)
        ? TaskState.FAILED
        : TaskState.SUCCEEDED;
  }

  private boolean hasAny(TaskState state) {
    return count(state) > 0;
  }

  private long count(TaskState state) {
    return members.stream()
        .filter(member -> {
          TaskStoreObserver.Row row = member.row;
          return row != null && row.state() == state;
        })
        .count();
  }

  /** The counts by the rows of its tasks. */
  BatchCounts counts() {
    return new BatchCounts(
        members.size(),
        count(TaskState.SUCCEEDED),
        count(TaskState.FAILED),
        count(TaskState.CANCELLED),
        count(TaskState.DEAD));
  }

  @Override
  public String toString() {
    return "batch " + id + " of " + members + (isClosed ? ", closed" : ", open");
  }
}
