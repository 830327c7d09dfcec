package io.kairos.domain.schedule.recurrence;

import io.kairos.domain.schedule.local.CivilDays;
import io.kairos.domain.schedule.local.LocalRule;
import io.kairos.domain.schedule.local.SmallNumberSets;
import io.kairos.domain.schedule.local.TimesOfDay;
import java.util.ArrayList;
import java.util.List;

/**
 * A recurrence by years, months, weeks or days, which searches the days of the periods that count.
 */
final class DayRecurrence implements LocalRule {
  private static final long FAR = CivilDays.CYCLE_YEARS * 366L;
  private static final int MINUTE = 60;
  private static final int HOUR = 3_600;

  private final RecurrenceParts parts;
  private final DayFilter filter;
  private final RecurrencePeriods periods;
  private final TimesOfDay times;

  DayRecurrence(RecurrenceParts parts) {
    this.parts = parts;
    this.filter = new DayFilter(parts);
    this.periods = new RecurrencePeriods(parts);
    this.times = parts.times();
  }

  @Override
  public long nextAtOrAfter(long localSecond) {
    long from = Math.max(localSecond, parts.start());
    long next = parts.positions().isEmpty() ? next(from) : nextPosition(from);
    return next > parts.until() ? NEVER : next;
  }

  private long next(long from) {
    long today = CivilDays.epochDayOf(from);
    int time = times.nextAtOrAfter(CivilDays.secondOfDay(from));
    long first = time < 0 ? today + 1 : today;
    long day = nextDay(first, first + FAR);
    if (day == NEVER) {
      return NEVER;
    }
    return day * CivilDays.SECONDS_PER_DAY + (day == today ? time : times.first());
  }

  /** Returns the first day that is named, before {@code end}. */
  private long nextDay(long from, long end) {
    long day = from;
    while (day < end) {
      long counting = Math.max(day, periods.beginAtOrAfter(day));
      day = filter.skipMonths(counting);
      if (day == counting) {
        if (filter.names(day)) {
          return day;
        }
        day++;
      }
    }
    return NEVER;
  }

  /** Searches by BYSETPOS: period by period, of whose times only those at certain places count. */
  private long nextPosition(long from) {
    long end = CivilDays.epochDayOf(from) + FAR;
    long day = periods.beginAtOrAfter(CivilDays.epochDayOf(from));
    while (day < end) {
      long first = nextDay(day, end);
      if (first == NEVER) {
        return NEVER;
      }
      long periodEnd = periods.endOf(first);
      long next = nextPosition(from, daysBetween(first, periodEnd));
      if (next != NEVER) {
        return next;
      }
      day = periodEnd;
    }
    return NEVER;
  }

  private List<Long> daysBetween(long first, long end) {
    List<Long> days = new ArrayList<>();
    for (long day = first; day != NEVER; day = nextDay(day + 1, end)) {
      days.add(day);
    }
    return days;
  }

  private long nextPosition(long from, List<Long> days) {
    int perDay =
        Integer.bitCount(times.hours())
            * Long.bitCount(times.minutes())
            * Long.bitCount(times.seconds());
    long all = (long) days.size() * perDay;
    long next = NEVER;
    for (int position : parts.positions()) {
      long index = position > 0 ? position - 1 : all + position;
      if (index >= 0 && index < all) {
        long day = days.get((int) (index / perDay));
        long at = day * CivilDays.SECONDS_PER_DAY + timeAt((int) (index % perDay));
        next = at >= from ? Math.min(next, at) : next;
      }
    }
    return next;
  }

  private int timeAt(int index) {
    int seconds = Long.bitCount(times.seconds());
    int minutes = Long.bitCount(times.minutes());
    return member(times.hours(), index / seconds / minutes) * HOUR
        + member(times.minutes(), index / seconds % minutes) * MINUTE
        + member(times.seconds(), index % seconds);
  }

  private static int member(long set, int index) {
    int member = SmallNumberSets.nextAtOrAfter(set, 0);
    for (int i = 0; i < index; i++) {
      member = SmallNumberSets.nextAtOrAfter(set, member + 1);
    }
    return member;
  }
}
