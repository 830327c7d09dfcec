package io.kairos.domain.schedule.fire;

/** Whether a schedule fires. */
public enum Status {
  ACTIVE,
  PAUSED,
  /** It has no fire time any more. */
  ENDED
}
