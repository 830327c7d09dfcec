package io.kairos.client.worker;

/** Why a handler is to stop. */
public enum CancelReason {
  /** Another worker may claim the task soon; nothing that this attempt says is heard any more. */
  LEASE_LOST,
  /** The application wishes it. The lease goes on. */
  CANCEL_REQUESTED,
  /** The attempt takes longer than its task allows. The lease goes on until the handler ends. */
  EXECUTION_TIMEOUT,
  /** The worker is being closed and its drain time is over. */
  SHUTDOWN
}
