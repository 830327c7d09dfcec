package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

/**
 * A task with the fence of its holder. Each change of the holder raises the fence, and a write with
 * an old fence changes nothing.
 */
public record FencedTask(TaskId id, long fence) {
  public FencedTask {
    requireNonNull(id, "id");
  }

  /** Returns the task with the fence of its next holder. */
  public FencedTask next() {
    return new FencedTask(id, fence + 1);
  }
}
