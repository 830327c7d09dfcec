package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.calendar.BusinessCalendar;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.Calendars;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * When a schedule fires. A planned rule knows its fire times ahead; with a fixed delay the next one
 * is known only when the last run has ended, so it has no fire times to list.
 */
public sealed interface TimeRule {
  Terms terms();

  /** The whole rule in English. */
  String describe();

  /** A rule whose fire times are known ahead. */
  record Planned(Pattern pattern, Terms terms) implements TimeRule {
    public Planned {
      requireNonNull(pattern, "pattern");
      requireNonNull(terms, "terms");
    }

    /**
     * Its fire times with the calendars that it names.
     *
     * @throws io.kairos.domain.schedule.calendar.UnknownCalendarException for one that is missing
     */
    public FireTimes fireTimes(Map<CalendarName, BusinessCalendar> calendars) {
      return FireTimes.of(pattern, terms, Calendars.of(terms.calendars(), calendars));
    }

    @Override
    public String describe() {
      return pattern.describe() + terms.describe();
    }
  }

  /**
   * A rule that fires so long after the end of the last run, therefore never beside itself.
   *
   * @param delay whole seconds, from one to 3,650 days
   */
  record FixedDelay(Duration delay, Terms terms) implements TimeRule {
    public FixedDelay {
      Interval.requireValid(delay);
      requireNonNull(terms, "terms");
    }

    /** The first fire time of a schedule that begins then: at once, if terms allow it. */
    public Optional<Instant> first(Instant begins, Map<CalendarName, BusinessCalendar> calendars) {
      return allowedFrom(Seconds.atOrAfter(begins), calendars);
    }

    /** The fire time after a run that ended then. */
    public Optional<Instant> after(Instant ended, Map<CalendarName, BusinessCalendar> calendars) {
      return allowedFrom(Seconds.atOrAfter(ended) + delay.toSeconds(), calendars);
    }

    /** The first second from then on that bounds and calendars allow. */
    private Optional<Instant> allowedFrom(
        long second, Map<CalendarName, BusinessCalendar> calendars) {
      Walk walk =
          new IntervalWalk(
              1,
              0,
              terms.clock(),
              Calendars.of(terms.calendars(), calendars),
              true,
              terms.bounds().from(second),
              Walk.LAST_SECOND);
      return walk.advance() && terms.bounds().allow(walk.at())
          ? Optional.of(Instant.ofEpochSecond(walk.at()))
          : Optional.empty();
    }

    @Override
    public String describe() {
      return Interval.say(delay) + " after the end of the last run" + terms.describe();
    }
  }
}
