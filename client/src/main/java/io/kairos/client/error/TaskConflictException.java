package io.kairos.client.error;

import org.jspecify.annotations.Nullable;

/**
 * The state of the task, schedule or pool does not allow the call; for example, the task is being
 * performed, or the name is taken. Also thrown when an idempotency key is taken; the message names
 * the task that has it.
 */
public final class TaskConflictException extends KairosException {
  private static final long serialVersionUID = 1;

  public TaskConflictException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
