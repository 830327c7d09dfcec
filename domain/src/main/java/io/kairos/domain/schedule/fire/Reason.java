package io.kairos.domain.schedule.fire;

/** Why a fire time was skipped. */
public enum Reason {
  /** An earlier run had not ended, and the schedule says to skip then. */
  OVERLAP,
  /** One run was going on and one waited, and the schedule buffers one. */
  BUFFER_FULL,
  /** A later fire time took its place: only the latest of what was missed is made up for. */
  SUPERSEDED,
  /** It was missed, and the schedule makes up for nothing. */
  CATCH_UP_NONE,
  /** It was missed longer ago than the schedule makes up for. */
  OUTSIDE_WINDOW,
  /** More was missed than the schedule makes up for; the latest were fired. */
  CAP,
  /** The schedule was paused. */
  PAUSED,
  /** Its calendar leaves it out. */
  CALENDAR,
  /** The local time does not exist on that day, and the schedule skips it. */
  DST_GAP,
  /** The local time comes twice on that day, and the schedule fires at the other one. */
  DST_OVERLAP
}
