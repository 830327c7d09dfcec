package io.kairos.client.worker;

/** How an attempt ended, from the point of view of its worker. */
public enum AttemptEnding {
  SUCCEEDED,
  RETRY_LATER,
  FATAL,
  CANCELLED,
  /** The handler did not begin the task; the attempt does not count. */
  NOT_BEGUN,
  /** The handler put the task off; the attempt does not count. */
  SNOOZED,
  /** The lease was lost; the result was not sent. */
  LOST
}
