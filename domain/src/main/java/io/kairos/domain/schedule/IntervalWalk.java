package io.kairos.domain.schedule;

import io.kairos.domain.schedule.calendar.RuleCalendars;
import java.time.Instant;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * Walks instants at equal intervals; only calendars use the wall clock. Where calendars are closed,
 * the walk goes on at once to the next time at which they may open.
 */
final class IntervalWalk extends OccurrenceWalk {
  private final long period;
  private final long anchor;
  private final RuleCalendars calendars;
  private final boolean passing;
  private final ZoneRules rules;
  private final long last;

  private long from;

  /**
   * Begins a walk.
   *
   * @param anchor one of the instants
   * @param passing true for instants that the calendars let pass, false for the others
   * @param last the last second of the search
   */
  IntervalWalk(
      long period,
      long anchor,
      ScheduleClock clock,
      RuleCalendars calendars,
      boolean passing,
      long from,
      long last) {
    this.period = period;
    this.anchor = anchor;
    this.calendars = calendars;
    this.passing = passing;
    this.rules = clock.zone().getRules();
    this.from = from;
    this.last = Math.min(last, LAST_SECOND);
  }

  @Override
  boolean advance() {
    for (int looks = 0; looks < RuleCalendars.MOST_LOOKS && from <= last; looks++) {
      at = anchor + Math.ceilDiv(from - anchor, period) * period;
      if (at > last) {
        return false;
      }
      Instant instant = Instant.ofEpochSecond(at);
      int offset = rules.getOffset(instant).getTotalSeconds();
      local = at + offset;
      if (calendars.pass(local) == passing) {
        from = at + 1;
        return true;
      }
      ZoneOffsetTransition change = rules.nextTransition(instant);
      long mayChange = calendars.mayChangeAfter(local) - offset;
      from = change == null ? mayChange : Math.min(mayChange, change.toEpochSecond());
    }
    return false;
  }
}
