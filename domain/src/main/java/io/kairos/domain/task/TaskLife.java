package io.kairos.domain.task;

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
 * Where a task is in its life, and the one function that says where it can go from there (DA-17).
 * The model of the store runs on it; that the statements of a database do the same, cell by cell,
 * is checked by a contract suite; the table in docs/tasks.md is compared with it.
 *
 * @param attempt attempts that were begun so far
 * @param fence grows whenever the task gets, loses or could have got a holder, so that what
 *     somebody knew of it before is void
 * @param cancelRequested while a worker performs it
 */
public record TaskLife(TaskState state, int attempt, long fence, boolean cancelRequested) {
  /** A task that has just been accepted. */
  public static final TaskLife ACCEPTED = new TaskLife(NEW, 0, 0, false);

  /** A task that has just been accepted and must wait for others of its ordering key. */
  public static final TaskLife ACCEPTED_BLOCKED = new TaskLife(BLOCKED, 0, 0, false);

  /** Empty when the event cannot happen to it, which leaves it as it is. */
  public Optional<TaskLife> after(TaskEvent event) {
    return Optional.ofNullable(
        switch (state) {
          case NEW, RETRIABLE_FAILURE -> whileItWaits(event);
          case ENQUEUED -> onItsQueue(event);
          case PROCESSING -> whileItIsPerformed(event);
          case BLOCKED, PAUSED -> whileItIsHeldBack(event);
          case FAILED, DEAD -> afterAFailure(event);
          case SUCCEEDED, CANCELLED -> null;
        });
  }

  private @Nullable TaskLife whileItWaits(TaskEvent event) {
    return switch (event) {
      case ENQUEUE -> leaves(ENQUEUED);
      case PAUSE -> leaves(PAUSED);
      case RESCHEDULE, REPLACE -> leaves(waiting());
      case HURRY -> isFailing() ? leaves(RETRIABLE_FAILURE) : null;
      case CANCEL, DROP -> ends(CANCELLED);
      case EXPIRE -> ends(FAILED);
      case SKIP -> isFailing() ? ends(DEAD) : null;
      case RELEASE,
          CLAIM,
          HEARTBEAT,
          SUCCEED,
          FAIL,
          EXHAUST,
          RETRY,
          STOP,
          NOT_BEGUN,
          BLOCK,
          UNBLOCK,
          RESUME,
          REDRIVE ->
          null;
    };
  }

  private @Nullable TaskLife onItsQueue(TaskEvent event) {
    return switch (event) {
      case CLAIM -> new TaskLife(PROCESSING, attempt + 1, fence + 1, false);
      case BLOCK -> leaves(BLOCKED);
      case PAUSE -> leaves(PAUSED);
      case RELEASE, RESCHEDULE, REPLACE -> leaves(waiting());
      case HURRY -> isFailing() ? leaves(RETRIABLE_FAILURE) : null;
      case CANCEL -> ends(CANCELLED);
      case EXPIRE -> ends(FAILED);
      case SKIP -> isFailing() ? ends(DEAD) : null;
      case ENQUEUE,
          HEARTBEAT,
          SUCCEED,
          FAIL,
          EXHAUST,
          RETRY,
          STOP,
          NOT_BEGUN,
          UNBLOCK,
          RESUME,
          DROP,
          REDRIVE ->
          null;
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
      case NOT_BEGUN ->
          cancelRequested
              ? ends(CANCELLED)
              : new TaskLife(waitingAfter(attempt - 1), attempt - 1, fence + 1, false);
      case ENQUEUE,
          RELEASE,
          CLAIM,
          BLOCK,
          UNBLOCK,
          PAUSE,
          RESUME,
          RESCHEDULE,
          REPLACE,
          DROP,
          EXPIRE,
          SKIP,
          HURRY,
          REDRIVE ->
          null;
    };
  }

  private @Nullable TaskLife whileItIsHeldBack(TaskEvent event) {
    return switch (event) {
      case UNBLOCK -> state == BLOCKED ? waitsAgain() : null;
      case RESUME -> state == PAUSED ? waitsAgain() : null;
      case RESCHEDULE -> leaves(waiting());
      // a task with an ordering key, as every blocked one has, is not replaced
      case REPLACE -> state == PAUSED ? leaves(waiting()) : null;
      case HURRY -> isFailing() ? leaves(RETRIABLE_FAILURE) : null;
      case CANCEL, DROP -> ends(CANCELLED);
      case EXPIRE -> ends(FAILED);
      case SKIP -> isFailing() ? ends(DEAD) : null;
      case ENQUEUE,
          RELEASE,
          CLAIM,
          HEARTBEAT,
          SUCCEED,
          FAIL,
          EXHAUST,
          RETRY,
          STOP,
          NOT_BEGUN,
          BLOCK,
          PAUSE,
          REDRIVE ->
          null;
    };
  }

  private @Nullable TaskLife afterAFailure(TaskEvent event) {
    return switch (event) {
      case REDRIVE -> new TaskLife(NEW, 0, fence + 1, false);
      case ENQUEUE,
          RELEASE,
          CLAIM,
          HEARTBEAT,
          SUCCEED,
          FAIL,
          EXHAUST,
          RETRY,
          STOP,
          NOT_BEGUN,
          BLOCK,
          UNBLOCK,
          PAUSE,
          RESUME,
          CANCEL,
          RESCHEDULE,
          REPLACE,
          DROP,
          EXPIRE,
          SKIP,
          HURRY ->
          null;
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

  /** Under its fence: nobody could have held it. */
  private TaskLife waitsAgain() {
    return new TaskLife(waiting(), attempt, fence, false);
  }

  private TaskLife ends(TaskState end) {
    return new TaskLife(end, attempt, fence, false);
  }
}
