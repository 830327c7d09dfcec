package io.kairos.engine.task.port;

import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task as it is shown.
 *
 * @param details with the payload empty when it was not asked for or is no longer kept, with the
 *     retry policy of the handler at present where the task has none of its own, and without a
 *     start deadline when that has been lifted
 */
public record TaskView(
    TaskId id,
    QueueName queue,
    TaskDetails details,
    Instant dueAt,
    Instant createdAt,
    Progress progress) {
  /** The payload of tasks that are shown without it. */
  public static final byte[] NO_PAYLOAD = {};

  /**
   * How far a task has come.
   *
   * @param attempt attempts that were begun so far
   * @param nextTrigger null when it has ended
   * @param finishedAt null when it has not
   * @param holder null when nobody holds it
   * @param failures the latest last, at most ten
   * @param result what its last attempt said as it succeeded; empty for nothing
   */
  public record Progress(
      TaskState state,
      int attempt,
      @Nullable Instant nextTrigger,
      @Nullable Instant finishedAt,
      @Nullable String holder,
      boolean cancelRequested,
      List<Failure> failures,
      String result) {}

  /** How one attempt failed. */
  public record Failure(int attempt, Instant at, String error) {}

  public TaskState state() {
    return progress.state();
  }
}
