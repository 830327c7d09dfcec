package io.kairos.client.worker;

/** How an attempt ended, as this worker saw it. */
public enum Ending {
  SUCCEEDED,
  RETRY_LATER,
  FATAL,
  CANCELLED,
  /** It went back; the attempt does not count. */
  NOT_BEGUN,
  /** Its lease was lost; its result was not sent. */
  LOST
}
