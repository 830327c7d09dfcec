package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.calendar.CalendarName;

/** The result of storing a new schedule. */
public sealed interface CreationResult {
  /** The schedule is stored. */
  record Created() implements CreationResult {}

  /** Another schedule has the name. */
  record NameTaken() implements CreationResult {}

  /** The schedule names a calendar that does not exist. */
  record NoCalendar(CalendarName calendar) implements CreationResult {}
}
