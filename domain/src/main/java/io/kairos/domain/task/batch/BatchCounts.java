package io.kairos.domain.task.batch;

import io.kairos.domain.task.TaskState;

/**
 * How many tasks a batch has, and how many of them have ended in each way. A task that was put back
 * has not ended.
 */
public record BatchCounts(long total, long succeeded, long failed, long cancelled, long dead) {
  /** Those of a new batch. */
  public static final BatchCounts NONE = new BatchCounts(0, 0, 0, 0, 0);

  /** Most tasks of one batch. */
  public static final int MOST_TASKS = 1_000_000;

  private static final int WHOLE = 100;

  /** Tasks that have not ended. */
  public long unfinished() {
    return total - succeeded - failed - cancelled - dead;
  }

  /** How many of a hundred tasks have ended, rounded down; 100 when all have, or there are none. */
  public int percent() {
    return total == 0 ? WHOLE : (int) (WHOLE * (total - unfinished()) / total);
  }

  /**
   * How a closed batch ends that has no unfinished tasks: as a task ends that stands for all of
   * them. A cancelled task is never put back, so that not all can succeed any more.
   */
  public TaskState end() {
    if (cancelled > 0) {
      return TaskState.CANCELLED;
    }
    return failed + dead > 0 ? TaskState.FAILED : TaskState.SUCCEEDED;
  }

  /** These counts after tasks have joined. */
  public BatchCounts joined(long tasks) {
    return new BatchCounts(total + tasks, succeeded, failed, cancelled, dead);
  }

  /**
   * These counts after tasks have ended in this state, or fewer have for a negative number.
   *
   * @param end a finished state
   */
  public BatchCounts ended(TaskState end, long tasks) {
    return switch (end) {
      case SUCCEEDED -> new BatchCounts(total, succeeded + tasks, failed, cancelled, dead);
      case FAILED -> new BatchCounts(total, succeeded, failed + tasks, cancelled, dead);
      case CANCELLED -> new BatchCounts(total, succeeded, failed, cancelled + tasks, dead);
      case DEAD -> new BatchCounts(total, succeeded, failed, cancelled, dead + tasks);
      case NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, AWAITING, BLOCKED, PAUSED ->
          throw new IllegalArgumentException(end + " is not an end");
    };
  }
}
