package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.calendar.CalendarName;

/** The reason why a time that a rule names is not a fire time. */
public sealed interface SkipReason {
  /** The local time does not exist, because daylight saving time begins. */
  record ClockPutForward() implements SkipReason {}

  /** The local time comes a second time, because daylight saving time ends. */
  record ClockPutBack() implements SkipReason {}

  /** A calendar leaves the time out. */
  record Excluded(CalendarName calendar) implements SkipReason {
    public Excluded {
      requireNonNull(calendar, "calendar");
    }
  }
}
