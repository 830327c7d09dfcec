package io.kairos.domain.schedule;

import io.kairos.domain.schedule.calendar.RuleCalendars;
import java.time.Instant;

/** The walk of a rule that names one instant. */
final class OnceWalk extends OccurrenceWalk {
  private boolean isAhead;

  OnceWalk(long at, ScheduleClock clock, RuleCalendars calendars, boolean passing, long from) {
    this.at = at;
    this.local =
        at + clock.zone().getRules().getOffset(Instant.ofEpochSecond(at)).getTotalSeconds();
    this.isAhead = from <= at && calendars.pass(local) == passing;
  }

  @Override
  boolean advance() {
    boolean found = isAhead;
    isAhead = false;
    return found;
  }
}
