package io.kairos.domain.schedule;

import io.kairos.domain.schedule.local.CivilDays;
import io.kairos.domain.schedule.local.LocalRule;
import java.time.Instant;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * Walks a rule of local times through a zone, from one change of the offset to the next. Between
 * changes, local times and instants differ by a constant; at a change, local times are left out or
 * come twice. Passes over years without a match in one step.
 */
final class ZoneWalk extends OccurrenceWalk {
  /** No offset from UTC is greater. */
  private static final int MOST_OFFSET = 18 * 3_600;

  /**
   * Twice {@link #MOST_OFFSET} and more: after that time no clock repeats the present local time.
   */
  private static final long NO_RETURN = 2L * CivilDays.SECONDS_PER_DAY;

  private final LocalRule rule;
  private final boolean interval;
  private final ScheduleClock clock;
  private final ZoneRules rules;

  private long from;
  private int offset;
  private @Nullable ZoneOffsetTransition ahead;
  private @Nullable ZoneOffsetTransition behind;
  private boolean behindIsKnown;

  /**
   * Begins a walk.
   *
   * @param interval the rule is an interval, for which the policies of the clock do not hold
   * @param from the first instant of interest
   */
  ZoneWalk(LocalRule rule, boolean interval, ScheduleClock clock, long from) {
    this.rule = rule;
    this.interval = interval;
    this.clock = clock;
    this.rules = clock.zone().getRules();
    enter(from);
  }

  private void enter(long second) {
    from = second;
    ahead = rules.nextTransition(Instant.ofEpochSecond(second - 1));
    offset =
        (ahead == null ? rules.getOffset(Instant.ofEpochSecond(second)) : ahead.getOffsetBefore())
            .getTotalSeconds();
    behindIsKnown = false;
  }

  @Override
  boolean advance() {
    while (from <= LAST_SECOND) {
      ZoneOffsetTransition change = ahead;
      long end = change == null ? LAST_SECOND + 1 : change.toEpochSecond();
      if (from < end) {
        long found = rule.nextAtOrAfter(from + offset);
        if (found != LocalRule.NEVER && found - offset < end) {
          return arriveAt(found);
        }
        if (change == null || (found == LocalRule.NEVER && end - from > NO_RETURN)) {
          return false;
        }
        if (end - from > NO_RETURN && found - MOST_OFFSET > end) {
          enter(found - MOST_OFFSET);
          continue;
        }
      }
      if (change != null && passes(change)) {
        return true;
      }
    }
    return false;
  }

  private boolean arriveAt(long found) {
    at = found - offset;
    local = found;
    kind = isRepeated() ? Kind.REPEATED : Kind.FIRE;
    from = at + 1;
    return true;
  }

  private boolean isRepeated() {
    if (interval || clock.overlap() == ClockOverlap.BOTH) {
      return false;
    }
    if (!behindIsKnown) {
      behind = rules.previousTransition(Instant.ofEpochSecond(from));
      behindIsKnown = true;
    }
    return behind != null && behind.isOverlap() && at < endOfRepeat(behind);
  }

  private static long endOfRepeat(ZoneOffsetTransition overlap) {
    return overlap.toEpochSecond() - overlap.getDuration().toSeconds();
  }

  @Override
  void passRepeated() {
    if (kind == Kind.REPEATED && behind != null) {
      from = Math.max(from, endOfRepeat(behind));
    }
  }

  /**
   * Passes a change of the offset.
   *
   * @return true if the rule names a time in its gap
   */
  private boolean passes(ZoneOffsetTransition change) {
    long end = change.toEpochSecond();
    from = end;
    offset = change.getOffsetAfter().getTotalSeconds();
    behind = change;
    behindIsKnown = true;
    ahead = rules.nextTransition(change.getInstant());
    if (!change.isGap()
        || !misses(end + change.getOffsetBefore().getTotalSeconds(), end + offset)) {
      return false;
    }
    at = end;
    if (kind == Kind.FIRE) {
      from = end + 1;
    }
    return true;
  }

  /**
   * Returns true if the rule names a time between these local times, which the clock leaves out. A
   * day of which the clock leaves out a part is made up for; a day that does not exist is not.
   */
  private boolean misses(long begin, long end) {
    boolean found = false;
    long next = rule.nextAtOrAfter(begin);
    while (next < end) {
      long dayBegin =
          Math.floorDiv(next, CivilDays.SECONDS_PER_DAY) * (long) CivilDays.SECONDS_PER_DAY;
      long dayEnd = dayBegin + CivilDays.SECONDS_PER_DAY;
      boolean dayExists = dayBegin < begin || end < dayEnd;
      if (dayExists && (!interval || isSwallowed(dayBegin, begin, end, dayEnd))) {
        local = next;
        kind = clock.gap() == ClockGap.RUN_ONCE_AFTER ? Kind.FIRE : Kind.IN_GAP;
        return true;
      }
      if (!interval && !found) {
        local = next;
        kind = Kind.IN_GAP;
        found = true;
      }
      next = rule.nextAtOrAfter(dayEnd);
    }
    return found;
  }

  /**
   * Returns true if a gap leaves no time of an interval on a day; then even an interval is made up
   * for.
   */
  private boolean isSwallowed(long dayBegin, long begin, long end, long dayEnd) {
    return rule.nextAtOrAfter(dayBegin) >= begin && rule.nextAtOrAfter(end) >= dayEnd;
  }
}
