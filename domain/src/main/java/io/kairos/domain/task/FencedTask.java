package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

/**
 * A task as somebody holds it. Whatever changes the task's holder raises the fence, and a write
 * with an old one changes nothing (law 4; DA-19, DA-L6).
 */
public record FencedTask(TaskId id, long fence) {
  public FencedTask {
    requireNonNull(id, "id");
  }

  /** The same task as its next holder has it. */
  public FencedTask next() {
    return new FencedTask(id, fence + 1);
  }
}
