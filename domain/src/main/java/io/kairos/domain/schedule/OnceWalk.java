package io.kairos.domain.schedule;

import io.kairos.domain.schedule.calendar.Calendars;
import java.time.Instant;

/** The walk of a rule that names one instant. */
final class OnceWalk implements Walk {
  private final long at;
  private final long local;
  private boolean isAhead;

  OnceWalk(long at, WallClock clock, Calendars calendars, boolean passing, long from) {
    this.at = at;
    this.local =
        at + clock.zone().getRules().getOffset(Instant.ofEpochSecond(at)).getTotalSeconds();
    this.isAhead = from <= at && calendars.pass(local) == passing;
  }

  @Override
  public boolean advance() {
    boolean found = isAhead;
    isAhead = false;
    return found;
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
