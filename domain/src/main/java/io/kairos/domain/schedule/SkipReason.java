package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.calendar.CalendarName;

/** Why a time that a rule names is not a fire time. */
public sealed interface SkipReason {
  /** The wall clock was put forward over it. */
  record ClockPutForward() implements SkipReason {}

  /** The wall clock was put back, and this is the second time that it shows it. */
  record ClockPutBack() implements SkipReason {}

  /** A calendar does not let it pass. */
  record Excluded(CalendarName calendar) implements SkipReason {
    public Excluded {
      requireNonNull(calendar, "calendar");
    }
  }
}
