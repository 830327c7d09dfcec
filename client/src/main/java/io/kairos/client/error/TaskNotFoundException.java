package io.kairos.client.error;

import org.jspecify.annotations.Nullable;

/**
 * The named task, schedule, handler, pool or other object does not exist, or a task's history has
 * been pruned.
 */
public final class TaskNotFoundException extends KairosException {
  private static final long serialVersionUID = 1;

  public TaskNotFoundException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
