package io.kairos.domain.task.queue;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

/**
 * Name of a queue: a handler and a priority. Each such pair has a queue of its own.
 *
 * @param priority {@value #LOWEST} to {@value #HIGHEST}, higher is sooner
 */
public record QueueName(TaskHandler handler, int priority) {
  public static final int LOWEST = 0;
  public static final int HIGHEST = 100;
  public static final int DEFAULT = 50;

  /** Throws {@link IllegalArgumentException} for a priority out of range. */
  public QueueName {
    requireNonNull(handler, "handler");
    require(priority >= LOWEST && priority <= HIGHEST, "a priority is 0 to 100, higher is sooner");
  }

  @Override
  public String toString() {
    return handler.wireName() + "@" + priority;
  }
}
