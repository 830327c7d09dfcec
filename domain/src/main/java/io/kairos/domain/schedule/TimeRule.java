package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.RuleCalendars;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The rule by which a schedule fires. A planned rule knows its fire times ahead. The next fire time
 * of a fixed delay is known only when the last run has ended, so it has no fire times to list.
 */
public sealed interface TimeRule {
  RuleTerms terms();

  /** Returns the whole rule in English. */
  String describe();

  /** A rule whose fire times are known ahead. */
  record Planned(TimePattern pattern, RuleTerms terms) implements TimeRule {
    public Planned {
      requireNonNull(pattern, "pattern");
      requireNonNull(terms, "terms");
    }

    /**
     * Returns the fire times with the calendars that the rule names.
     *
     * @throws io.kairos.domain.schedule.calendar.UnknownCalendarException for one that is missing
     */
    public FireTimes fireTimes(Map<CalendarName, WorkingCalendar> calendars) {
      return FireTimes.of(pattern, terms, RuleCalendars.of(terms.calendars(), calendars));
    }

    @Override
    public String describe() {
      return pattern.describe() + terms.describe();
    }
  }

  /**
   * A rule that fires so long after the end of the last run, so that runs never overlap.
   *
   * @param delay whole seconds, from one to 3,650 days
   */
  record FixedDelay(Duration delay, RuleTerms terms) implements TimeRule {
    public FixedDelay {
      IntervalLimits.requireValid(delay);
      requireNonNull(terms, "terms");
    }

    /**
     * Returns the first fire time of a schedule that begins then: at once, if the terms allow it.
     */
    public Optional<Instant> first(Instant begins, Map<CalendarName, WorkingCalendar> calendars) {
      return allowedFrom(EpochSeconds.atOrAfter(begins), calendars);
    }

    /** The fire time after a run that ended then. */
    public Optional<Instant> after(Instant ended, Map<CalendarName, WorkingCalendar> calendars) {
      return allowedFrom(EpochSeconds.atOrAfter(ended) + delay.toSeconds(), calendars);
    }

    /** The first second from then on that bounds and calendars allow. */
    private Optional<Instant> allowedFrom(
        long second, Map<CalendarName, WorkingCalendar> calendars) {
      OccurrenceWalk walk =
          new IntervalWalk(
              1,
              0,
              terms.clock(),
              RuleCalendars.of(terms.calendars(), calendars),
              true,
              terms.bounds().from(second),
              OccurrenceWalk.LAST_SECOND);
      return walk.advance() && terms.bounds().allow(walk.at())
          ? Optional.of(Instant.ofEpochSecond(walk.at()))
          : Optional.empty();
    }

    @Override
    public String describe() {
      return IntervalLimits.say(delay) + " after the end of the last run" + terms.describe();
    }
  }
}
