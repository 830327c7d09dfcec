package io.kairos.client.task;

/** Decides what becomes of a task when one that it waits for ends without success. */
public enum OnFailure {
  /**
   * It goes on waiting: the other task may be put back and succeed then. It is cancelled with one
   * that is cancelled.
   */
  BLOCK,
  /** It fails with one that has failed, and is cancelled with one that is cancelled. */
  FAIL,
  /** It waits for any end of the other task. */
  CONTINUE
}
