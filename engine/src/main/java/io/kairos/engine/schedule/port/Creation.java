package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.calendar.CalendarName;

/** What became of a new schedule. */
public sealed interface Creation {
  /** It is stored. */
  record Created() implements Creation {}

  /** Another one has the name. */
  record NameTaken() implements Creation {}

  /** It names a calendar that there is not. */
  record NoCalendar(CalendarName calendar) implements Creation {}
}
