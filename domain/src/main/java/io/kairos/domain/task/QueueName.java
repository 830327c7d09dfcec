package io.kairos.domain.task;

import static java.util.Objects.requireNonNull;

/**
 * The ready tasks of one handler at one priority; every such pair has a queue of its own (DA-13).
 *
 * @param priority {@value #LOWEST} to {@value #HIGHEST}, higher is sooner (DA-3)
 */
public record QueueName(TaskHandler handler, int priority) {
  public static final int LOWEST = 0;
  public static final int HIGHEST = 100;
  public static final int DEFAULT = 50;

  /** Throws {@link IllegalArgumentException} for a priority out of range. */
  public QueueName {
    requireNonNull(handler, "handler");
    if (priority < LOWEST || priority > HIGHEST) {
      throw new IllegalArgumentException("a priority is 0 to 100, higher is sooner");
    }
  }

  @Override
  public String toString() {
    return handler.wireName() + "@" + priority;
  }
}
