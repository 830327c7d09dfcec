package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.local.CivilDays;
import io.kairos.domain.schedule.local.LocalRule;
import io.kairos.domain.schedule.local.SmallNumberSets;
import io.kairos.domain.schedule.local.TimesOfDay;
import io.kairos.domain.schedule.local.WorkingDays;

/**
 * A cron expression prepared for searches: sets of bits, no allocation. A search passes over whole
 * months, so that the worst takes some hundred steps: 29 February on a certain weekday.
 */
final class LocalCron implements LocalRule {
  private static final int MONTHS = 12;

  private final TimesOfDay times;
  private final MonthDayMatches monthDays;
  private final WeekdayMatches weekdays;
  private final boolean either;
  private final long months;
  private final YearSet years;
  private final WorkingDays working;

  LocalCron(CronFields fields, WorkingDays working) {
    times =
        new TimesOfDay(
            (int) fields.hours().bits(), fields.minutes().bits(), fields.seconds().bits());
    monthDays = new MonthDayMatches(fields.days().monthDays());
    weekdays = new WeekdayMatches(fields.days().weekdays());
    either = fields.days().isEither();
    months = fields.months().bits();
    years = new YearSet(fields.years());
    this.working = working;
  }

  @Override
  public long nextAtOrAfter(long localSecond) {
    long today = CivilDays.epochDayOf(localSecond);
    int time = times.nextAtOrAfter(CivilDays.secondOfDay(localSecond));
    long day = nextDay(time < 0 ? today + 1 : today);
    if (day == NEVER) {
      return NEVER;
    }
    return day * CivilDays.SECONDS_PER_DAY + (day == today ? time : times.first());
  }

  private long nextDay(long epochDay) {
    int date = CivilDays.date(epochDay);
    int year = CivilDays.year(date);
    int month = CivilDays.month(date);
    int day = CivilDays.day(date);
    int lastYear = years.lastWorthLooking(year);
    while (true) {
      int nextYear = years.nextAtOrAfter(year);
      if (nextYear < 0 || nextYear > lastYear) {
        return NEVER;
      }
      int nextMonth = SmallNumberSets.nextAtOrAfter(months, nextYear == year ? month : 1);
      if (nextYear != year || nextMonth != month) {
        day = 1;
      }
      if (nextMonth < 0) {
        year = nextYear + 1;
        month = 1;
        continue;
      }
      long first = CivilDays.epochDay(nextYear, nextMonth, 1);
      int next =
          SmallNumberSets.nextAtOrAfter(
              daysOf(first, CivilDays.lengthOfMonth(nextYear, nextMonth)), day);
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
