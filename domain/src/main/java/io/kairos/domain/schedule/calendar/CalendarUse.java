package io.kairos.domain.schedule.calendar;

import static java.util.Objects.requireNonNull;

/**
 * The use of a calendar by a rule. If a rule names several calendars, each of them must let a time
 * pass.
 */
public record CalendarUse(CalendarName calendar, Kind kind) {
  public CalendarUse {
    requireNonNull(calendar, "calendar");
    requireNonNull(kind, "kind");
  }

  /** The kind of use. */
  public enum Kind {
    /** Fires only in its open hours. */
    ONLY_DURING,
    /** Fires only outside of its open hours. */
    NOT_DURING,
    /**
     * The calendar's open days are the working days of W and LW. The calendar leaves no time out.
     */
    WORKING_DAYS
  }
}
