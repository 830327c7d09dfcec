package io.kairos.engine.schedule.port;

/** What became of a wish to delete a calendar. */
public enum CalendarDeletion {
  DELETED,
  UNKNOWN,
  /** Schedules name it. */
  IN_USE
}
