package io.kairos.engine.schedule.port;

/** The result of a request to delete a calendar. */
public enum CalendarDeletion {
  DELETED,
  UNKNOWN,
  /** Schedules name the calendar. */
  IN_USE
}
