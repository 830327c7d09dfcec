package io.kairos.domain.schedule.calendar;

/** Tells that a rule names a calendar that does not exist. */
public final class UnknownCalendarException extends IllegalArgumentException {
  private final String calendar;

  public UnknownCalendarException(CalendarName calendar) {
    super("there is no calendar " + calendar);
    this.calendar = calendar.value();
  }

  /** Returns the name of the calendar. */
  public String calendar() {
    return calendar;
  }
}
