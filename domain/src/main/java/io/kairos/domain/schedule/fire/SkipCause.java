package io.kairos.domain.schedule.fire;

/** The reason why a fire time was skipped. */
public enum SkipCause {
  /** An earlier run had not ended, and the schedule says to skip then. */
  OVERLAP,
  /** A run had not ended and one waited, and the schedule buffers one. */
  BUFFER_FULL,
  /** A later fire time took its place: only the latest missed one is made up for. */
  SUPERSEDED,
  /** The fire time was missed, and the schedule does not catch up. */
  CATCH_UP_NONE,
  /** The fire time was missed longer ago than the catch-up window. */
  OUTSIDE_WINDOW,
  /** More fire times were missed than the schedule makes up for; the latest ones were fired. */
  CAP,
  /** The schedule was paused. */
  PAUSED,
  /** A calendar leaves the fire time out. */
  CALENDAR,
  /** The local time does not exist on that day, and the schedule skips it. */
  DST_GAP,
  /** The local time comes twice on that day, and the schedule fires at the other one. */
  DST_OVERLAP
}
