package io.kairos.client.task;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A task that another one has waited for, as it was when that one was claimed.
 *
 * @param handler name of its handler, or {@code pool:} and the name of its pool; empty when the
 *     task is no longer in the history
 * @param state {@link TaskState#OTHER} when the task is no longer in the history
 * @param value the result that it left; null for none, and when it had no room beside the task
 * @param resultBytes length of the result that nodes keep, also when {@code value} had no room
 */
public record Predecessor(
    TaskId id, String handler, TaskState state, @Nullable TaskResult value, long resultBytes) {
  /** The result that the task left, if it was handed over. */
  public Optional<TaskResult> result() {
    return Optional.ofNullable(value);
  }

  /** True when the task left a result that had no room: the client's {@code get} has it. */
  public boolean isResultLeftOut() {
    return value == null && resultBytes > 0;
  }
}
