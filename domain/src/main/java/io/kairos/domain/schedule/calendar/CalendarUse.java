package io.kairos.domain.schedule.calendar;

import static java.util.Objects.requireNonNull;

/** What a rule wants of a calendar that it names. Of several every one must let a time pass. */
public record CalendarUse(CalendarName calendar, Kind kind) {
  public CalendarUse {
    requireNonNull(calendar, "calendar");
    requireNonNull(kind, "kind");
  }

  /** How it is used. */
  public enum Kind {
    /** Fires only in its open hours. */
    ONLY_DURING,
    /** Fires only outside of its open hours. */
    NOT_DURING,
    /**
     * Its open days are the working days that W means: LW is the last of the month. Lets every time
     * pass.
     */
    WORKING_DAYS
  }
}
