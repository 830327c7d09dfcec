package io.kairos.client;

import io.kairos.client.error.KairosException;
import io.kairos.client.task.TaskId;

/**
 * A task whose value was awaited has ended without success, or not yet: {@link #outcome} tells. Its
 * message has the error of the last attempt.
 */
public final class TaskNotSucceededException extends KairosException {
  private static final long serialVersionUID = 1;

  private final transient TaskOutcome outcome;

  TaskNotSucceededException(TaskId id, TaskOutcome outcome) {
    super("task " + id + " " + text(outcome), null);
    this.outcome = outcome;
  }

  /** Never {@link TaskOutcome.Succeeded}. */
  public TaskOutcome outcome() {
    return outcome;
  }

  private static String text(TaskOutcome outcome) {
    if (outcome instanceof TaskOutcome.Failed failed) {
      return "has failed" + failed.failure().map(TaskNotSucceededException::because).orElse("");
    }
    if (outcome instanceof TaskOutcome.Dead dead) {
      return "is dead" + dead.failure().map(TaskNotSucceededException::because).orElse("");
    }
    return outcome instanceof TaskOutcome.Cancelled ? "was cancelled" : "has not ended yet";
  }

  private static String because(Task.Failure failure) {
    return ": " + failure.error();
  }
}
