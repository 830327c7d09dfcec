package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.domain.schedule.calendar.WorkingCalendar;

/**
 * A calendar that schedules share.
 *
 * @param generation raised by every change
 */
public record StoredCalendar(CalendarName name, CalendarText text, long generation) {
  /** Reads the calendar. */
  public WorkingCalendar calendar() {
    return text.read();
  }
}
