package io.kairos.domain.schedule;

import io.kairos.domain.schedule.calendar.Calendars;
import java.time.Instant;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * Walks instants that are the same time apart; the wall clock is asked only by the calendars. Where
 * they are closed it goes on at once to where they may open.
 */
final class IntervalWalk implements Walk {
  private final long period;
  private final long anchor;
  private final Calendars calendars;
  private final boolean passing;
  private final ZoneRules rules;
  private final long last;

  private long from;
  private long at;
  private long local;

  /**
   * Begins a walk.
   *
   * @param anchor one of the instants
   * @param passing whether those are wanted that the calendars let pass, or those that they do not
   * @param last behind which it looks for nothing
   */
  IntervalWalk(
      long period,
      long anchor,
      WallClock clock,
      Calendars calendars,
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
  public boolean advance() {
    for (int looks = 0; looks < Calendars.mostLooks() && from <= last; looks++) {
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

  @Override
  public long at() {
    return at;
  }

  @Override
  public long local() {
    return local;
  }

  @Override
  public Kind kind() {
    return Kind.FIRE;
  }
}
