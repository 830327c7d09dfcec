package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.RuleCalendars;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import java.util.Map;

/** The rule by which a schedule fires: a pattern of times and the terms that limit it. */
public record TimeRule(TimePattern pattern, RuleTerms terms) {
  public TimeRule {
    requireNonNull(pattern, "pattern");
    requireNonNull(terms, "terms");
  }

  /** Returns false for a {@link TimePattern.FixedDelay}, which has no fire times to list. */
  public boolean isPlanned() {
    return !(pattern instanceof TimePattern.FixedDelay);
  }

  /**
   * Returns the fire times with the calendars that the rule names.
   *
   * @throws io.kairos.domain.schedule.calendar.UnknownCalendarException for one that is missing
   */
  public FireTimes fireTimes(Map<CalendarName, WorkingCalendar> calendars) {
    return FireTimes.of(pattern, terms, RuleCalendars.of(terms.calendars(), calendars));
  }

  /** Returns the whole rule in English. */
  public String describe() {
    return pattern.describe() + terms.describe();
  }
}
