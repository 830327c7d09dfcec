package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.local.Bits;
import io.kairos.domain.schedule.local.Civil;
import io.kairos.domain.schedule.local.LocalRule;
import io.kairos.domain.schedule.local.TimesOfDay;
import io.kairos.domain.schedule.local.WorkingDays;

/**
 * The matching side of a cron expression: sets of bits, no allocation. A search passes over whole
 * months, so the worst takes some hundred of them: 29 February on a certain weekday.
 */
final class LocalCron implements LocalRule {
  private static final int MONTHS = 12;

  private final TimesOfDay times;
  private final MonthDays monthDays;
  private final Weekdays weekdays;
  private final boolean either;
  private final long months;
  private final YearSet years;
  private final WorkingDays working;

  LocalCron(CronFields fields, WorkingDays working) {
    times =
        new TimesOfDay(
            (int) fields.hours().bits(), fields.minutes().bits(), fields.seconds().bits());
    monthDays = new MonthDays(fields.days().monthDays());
    weekdays = new Weekdays(fields.days().weekdays());
    either = fields.days().isEither();
    months = fields.months().bits();
    years = new YearSet(fields.years());
    this.working = working;
  }

  @Override
  public long nextAtOrAfter(long localSecond) {
    long today = Civil.epochDayOf(localSecond);
    int time = times.nextAtOrAfter(Civil.secondOfDay(localSecond));
    long day = nextDay(time < 0 ? today + 1 : today);
    if (day == NEVER) {
      return NEVER;
    }
    return day * Civil.SECONDS_PER_DAY + (day == today ? time : times.first());
  }

  private long nextDay(long epochDay) {
    int date = Civil.date(epochDay);
    int year = Civil.year(date);
    int month = Civil.month(date);
    int day = Civil.day(date);
    int lastYear = years.lastWorthLooking(year);
    while (true) {
      int nextYear = years.nextAtOrAfter(year);
      if (nextYear < 0 || nextYear > lastYear) {
        return NEVER;
      }
      int nextMonth = Bits.nextAtOrAfter(months, nextYear == year ? month : 1);
      if (nextYear != year || nextMonth != month) {
        day = 1;
      }
      if (nextMonth < 0) {
        year = nextYear + 1;
        month = 1;
        continue;
      }
      long first = Civil.epochDay(nextYear, nextMonth, 1);
      int next = Bits.nextAtOrAfter(daysOf(first, Civil.lengthOfMonth(nextYear, nextMonth)), day);
      if (next > 0) {
        return first + next - 1;
      }
      year = nextMonth == MONTHS ? nextYear + 1 : nextYear;
      month = nextMonth == MONTHS ? 1 : nextMonth + 1;
      day = 1;
    }
  }

  private long daysOf(long firstEpochDay, int length) {
    long ofMonth = monthDays.in(firstEpochDay, length, working);
    long ofWeek = weekdays.in(firstEpochDay, length);
    return either ? ofMonth | ofWeek : ofMonth & ofWeek;
  }
}
