package io.kairos.domain.schedule.calendar;

/** A rule names a calendar that it is not resolved with. */
public final class UnknownCalendarException extends IllegalArgumentException {
  private final String calendar;

  public UnknownCalendarException(CalendarName calendar) {
    super("there is no calendar " + calendar);
    this.calendar = calendar.value();
  }

  /** Its name. */
  public String calendar() {
    return calendar;
  }
}
