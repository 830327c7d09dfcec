package io.kairos.client.handler;

/** Why a handler should stop. */
public enum CancelReason {
  /**
   * The lease is lost: another worker may claim the task soon, and the result of this attempt is
   * ignored.
   */
  LEASE_LOST,
  /** The application requested a cancel. The lease goes on. */
  CANCEL_REQUESTED,
  /**
   * The attempt exceeds the execution timeout of its task. The lease goes on until the handler
   * ends.
   */
  EXECUTION_TIMEOUT,
  /** The worker is being closed, and its drain time is over. */
  SHUTDOWN
}
