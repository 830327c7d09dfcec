package io.kairos.client;

import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
import java.util.Optional;

/** How a task that was awaited has ended, or that it has not: {@link KairosClient#await}. */
public sealed interface TaskOutcome {
  /** The task has succeeded. */
  record Succeeded(Task task) implements TaskOutcome {
    /** The value that it left; empty for none. */
    public Optional<TaskResult> result() {
      return Optional.ofNullable(task.resultValue());
    }

    /** Decodes the value that it left. Throws {@link IllegalStateException} when there is none. */
    public <T> T value(PayloadCodec<T> codec) {
      return result()
          .orElseThrow(() -> new IllegalStateException(task + " has left no result"))
          .as(codec);
    }
  }

  /** An attempt has failed for good, or none has begun by the start deadline. */
  record Failed(Task task) implements TaskOutcome {
    /** Why; empty when it is not known. */
    public Optional<Task.Failure> failure() {
      return last(task);
    }
  }

  /** All attempts have failed. */
  record Dead(Task task) implements TaskOutcome {
    /** Why the last one failed; empty when it is not known. */
    public Optional<Task.Failure> failure() {
      return last(task);
    }
  }

  /** The task was cancelled, dropped or skipped. */
  record Cancelled(Task task) implements TaskOutcome {}

  /** The time was over before the task had ended. It goes on. */
  record StillRunning(TaskId id) implements TaskOutcome {}

  private static Optional<Task.Failure> last(Task task) {
    int size = task.failures().size();
    return size == 0 ? Optional.empty() : Optional.of(task.failures().get(size - 1));
  }
}
