package io.kairos.client;

import org.jspecify.annotations.Nullable;

/** No task has this id, or its history has been pruned. */
public final class TaskNotFoundException extends KairosException {
  private static final long serialVersionUID = 1;

  TaskNotFoundException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
