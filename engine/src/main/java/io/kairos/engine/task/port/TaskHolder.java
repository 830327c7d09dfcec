package io.kairos.engine.task.port;

import org.jspecify.annotations.Nullable;

/**
 * The holder of a task: a node while the task is enqueued, a worker while it is performed.
 *
 * @param performer the caller of the API whose worker claimed the latest attempt; null when that is
 *     not known
 */
public record TaskHolder(String name, long fence, @Nullable String performer) {
  /** A holder of which no caller is known. */
  public TaskHolder(String name, long fence) {
    this(name, fence, null);
  }
}
