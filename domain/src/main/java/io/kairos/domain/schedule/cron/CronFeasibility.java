package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.local.CivilDays;
import io.kairos.domain.schedule.local.LocalRule;
import io.kairos.domain.schedule.local.WorkingDays;
import io.kairos.domain.schedule.text.EnglishPhrases;
import java.util.List;

/**
 * Refuses expressions that can never match, such as 30 February. The search covers 400 years, after
 * which the calendar repeats.
 */
final class CronFeasibility {
  private static final long START =
      CivilDays.epochDay(YearSet.FIRST, 1, 1) * CivilDays.SECONDS_PER_DAY;
  private static final int SOME_LEAP_YEAR = 2000;

  private CronFeasibility() {}

  static void check(CronFields fields, FieldReader monthDay) {
    LocalCron rule = new LocalCron(fields, WorkingDays.MONDAY_TO_FRIDAY);
    if (rule.nextAtOrAfter(START) == LocalRule.NEVER) {
      throw monthDay.refused(reason(fields));
    }
  }

  private static String reason(CronFields fields) {
    List<Integer> months = fields.months().values();
    int longest =
        months.stream()
            .mapToInt(month -> CivilDays.lengthOfMonth(SOME_LEAP_YEAR, month))
            .max()
            .orElseThrow();
    String names = EnglishPhrases.list(months.stream().map(EnglishPhrases::month).toList(), "or");
    if (hasDay(fields, longest)) {
      return "a day that exists: no such day in "
          + names
          + (fields.years().isAll() ? " falls on these days of the week" : " of these years")
          + ", in all the 400 years after which the calendar repeats";
    }
    return "a day that exists: " + names + " has at most " + longest + " days";
  }

  /** Returns true if the field of days of the month alone names a day in a month of that length. */
  private static boolean hasDay(CronFields fields, int length) {
    long first = CivilDays.epochDay(SOME_LEAP_YEAR, 1, 1);
    return new MonthDayMatches(fields.days().monthDays()).in(first, length, day -> true) != 0;
  }
}
