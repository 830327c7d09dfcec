package io.kairos.domain.task;

import static io.kairos.domain.task.TaskState.AWAITING;
import static io.kairos.domain.task.TaskState.BLOCKED;
import static io.kairos.domain.task.TaskState.CANCELLED;
import static io.kairos.domain.task.TaskState.DEAD;
import static io.kairos.domain.task.TaskState.ENQUEUED;
import static io.kairos.domain.task.TaskState.FAILED;
import static io.kairos.domain.task.TaskState.NEW;
import static io.kairos.domain.task.TaskState.PAUSED;
import static io.kairos.domain.task.TaskState.PROCESSING;
import static io.kairos.domain.task.TaskState.RETRIABLE_FAILURE;
import static io.kairos.domain.task.TaskState.SUCCEEDED;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a task in its life cycle, and the one function that has its transitions. The model
 * of the store runs on it; a contract suite compares the statements of a database with it, cell by
 * cell, and a test compares the table in docs/tasks.md.
 *
 * @param attempt the number of attempts that were begun so far
 * @param fence grows whenever the task gets, loses or could have got a holder, so that earlier
 *     knowledge of the task is void
 * @param cancelRequested true if a cancel was requested while a worker performs the task
 */
public record TaskLife(TaskState state, int attempt, long fence, boolean cancelRequested) {
  /** A task that has just been accepted. */
  public static final TaskLife ACCEPTED = new TaskLife(NEW, 0, 0, false);

  /** A task that has just been accepted and must wait for others of its ordering key. */
  public static final TaskLife ACCEPTED_BLOCKED = new TaskLife(BLOCKED, 0, 0, false);

  /** A task that has just been accepted and must wait for its predecessors. */
  public static final TaskLife ACCEPTED_AWAITING = new TaskLife(AWAITING, 0, 0, false);

  /**
   * Returns the task after an event; empty when the event cannot happen to it, which leaves it
   * unchanged.
   */
  public Optional<TaskLife> after(TaskEvent event) {
    return Optional.ofNullable(
        switch (state) {
          case NEW, RETRIABLE_FAILURE -> whileItWaits(event);
          case ENQUEUED -> onItsQueue(event);
          case PROCESSING -> whileItIsPerformed(event);
          case AWAITING -> whileItAwaits(event);
          case BLOCKED, PAUSED -> whileItIsHeldBack(event);
          case FAILED, DEAD ->
              event == TaskEvent.REDRIVE ? new TaskLife(NEW, 0, fence + 1, false) : null;
          case SUCCEEDED, CANCELLED -> null;
        });
  }

  private @Nullable TaskLife whileItWaits(TaskEvent event) {
    return switch (event) {
      case ENQUEUE -> leaves(ENQUEUED);
      case PAUSE -> leaves(PAUSED);
      case REPLACE -> leaves(waiting());
      case DROP -> ends(CANCELLED);
      case AWAIT -> state == NEW ? new TaskLife(AWAITING, attempt, fence, false) : null;
      default -> whileUnperformed(event);
    };
  }

  /** A drop comes to it when it is ready, as the pause of its handler does. */
  private @Nullable TaskLife whileItAwaits(TaskEvent event) {
    return switch (event) {
      case READY -> waitsAgain();
      case PREDECESSOR_FAILED, EXPIRE -> ends(FAILED);
      case RESCHEDULE, REPLACE -> leaves(AWAITING);
      case CANCEL -> ends(CANCELLED);
      default -> null;
    };
  }

  private @Nullable TaskLife onItsQueue(TaskEvent event) {
    return switch (event) {
      case CLAIM -> new TaskLife(PROCESSING, attempt + 1, fence + 1, false);
      case BLOCK -> leaves(BLOCKED);
      case PAUSE -> leaves(PAUSED);
      case RELEASE, REPLACE -> leaves(waiting());
      default -> whileUnperformed(event);
    };
  }

  private @Nullable TaskLife whileItIsPerformed(TaskEvent event) {
    return switch (event) {
      case HEARTBEAT -> this;
      case CANCEL -> new TaskLife(PROCESSING, attempt, fence, true);
      case SUCCEED -> ends(SUCCEEDED);
      case FAIL -> ends(FAILED);
      case EXHAUST -> ends(DEAD);
      case STOP -> ends(CANCELLED);
      case RETRY -> cancelRequested ? ends(CANCELLED) : leaves(RETRIABLE_FAILURE);
      case NOT_BEGUN, SNOOZE ->
          cancelRequested
              ? ends(CANCELLED)
              : new TaskLife(waitingAfter(attempt - 1), attempt - 1, fence + 1, false);
      default -> null;
    };
  }

  private @Nullable TaskLife whileItIsHeldBack(TaskEvent event) {
    return switch (event) {
      case UNBLOCK -> state == BLOCKED ? waitsAgain() : null;
      case RESUME -> state == PAUSED ? waitsAgain() : null;
      // a task with an ordering key, as every blocked one has, is not replaced
      case REPLACE -> state == PAUSED ? leaves(waiting()) : null;
      case DROP -> ends(CANCELLED);
      default -> whileUnperformed(event);
    };
  }

  /** Events with one effect on every unfinished task that no worker performs. */
  private @Nullable TaskLife whileUnperformed(TaskEvent event) {
    return switch (event) {
      case RESCHEDULE -> leaves(waiting());
      case HURRY -> isFailing() ? leaves(RETRIABLE_FAILURE) : null;
      case CANCEL -> ends(CANCELLED);
      case EXPIRE -> ends(FAILED);
      case SKIP -> isFailing() ? ends(DEAD) : null;
      default -> null;
    };
  }

  private boolean isFailing() {
    return attempt > 0;
  }

  private TaskState waiting() {
    return waitingAfter(attempt);
  }

  private static TaskState waitingAfter(int attempts) {
    return attempts == 0 ? NEW : RETRIABLE_FAILURE;
  }

  private TaskLife leaves(TaskState next) {
    return new TaskLife(next, attempt, fence + 1, false);
  }

  /** Keeps the fence: no holder could have had the task. */
  private TaskLife waitsAgain() {
    return new TaskLife(waiting(), attempt, fence, false);
  }

  private TaskLife ends(TaskState end) {
    return new TaskLife(end, attempt, fence, false);
  }
}
