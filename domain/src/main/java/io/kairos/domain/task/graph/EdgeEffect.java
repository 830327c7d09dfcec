package io.kairos.domain.task.graph;

import io.kairos.domain.task.TaskState;

/** The effect of a predecessor's end on an edge, and through it on the successor. */
public enum EdgeEffect {
  /** The successor no longer waits for this predecessor. */
  SATISFIED,
  /** The successor goes on waiting, because the predecessor can be put back. */
  STAYS_OPEN,
  /** The successor fails. */
  FAILS,
  /** The successor is cancelled. */
  CANCELS;

  /**
   * Returns the effect of an end.
   *
   * @param end a finished state
   */
  public static EdgeEffect of(OnFailure onFailure, TaskState end) {
    return switch (end) {
      case SUCCEEDED -> SATISFIED;
      case FAILED, DEAD ->
          switch (onFailure) {
            case BLOCK -> STAYS_OPEN;
            case FAIL -> FAILS;
            case CONTINUE -> SATISFIED;
          };
      // a cancelled task is never put back, so that nothing is left to wait for
      case CANCELLED ->
          switch (onFailure) {
            case BLOCK, FAIL -> CANCELS;
            case CONTINUE -> SATISFIED;
          };
      case NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, AWAITING, BLOCKED, PAUSED ->
          throw new IllegalArgumentException(end + " is not an end");
    };
  }

  /**
   * Returns the effect of a predecessor that was removed from the history before the successor has
   * been told of its end, or while an edge stayed open.
   */
  public static EdgeEffect ofForgotten(OnFailure onFailure) {
    return switch (onFailure) {
      case BLOCK, FAIL -> FAILS;
      case CONTINUE -> SATISFIED;
    };
  }
}
