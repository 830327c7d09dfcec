package io.kairos.client;

import org.jspecify.annotations.Nullable;

/**
 * The task is in a state in which this cannot be done to it, such as being performed; or its
 * idempotency key is that of another, which the message names.
 */
public final class TaskConflictException extends KairosException {
  private static final long serialVersionUID = 1;

  TaskConflictException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
