package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.local.Civil;
import io.kairos.domain.schedule.local.LocalRule;
import io.kairos.domain.schedule.local.WorkingDays;
import io.kairos.domain.schedule.text.English;
import java.util.List;

/**
 * Refuses what can never match (PH-41), such as 30 February. A proof rather than a guess: the
 * search covers 400 years, after which the calendar begins again.
 */
final class Possibility {
  private static final long START = Civil.epochDay(YearSet.FIRST, 1, 1) * Civil.SECONDS_PER_DAY;
  private static final int SOME_LEAP_YEAR = 2000;

  private Possibility() {}

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
            .mapToInt(month -> Civil.lengthOfMonth(SOME_LEAP_YEAR, month))
            .max()
            .orElseThrow();
    String names = English.list(months.stream().map(English::month).toList(), "or");
    if (hasDay(fields, longest)) {
      return "a day that exists: no such day in "
          + names
          + (fields.years().isAll() ? " falls on these days of the week" : " of these years")
          + ", in all the 400 years after which the calendar repeats";
    }
    return "a day that exists: " + names + " has at most " + longest + " days";
  }

  /** Whether the field of days of the month alone names a day in a month of that length. */
  private static boolean hasDay(CronFields fields, int length) {
    long first = Civil.epochDay(SOME_LEAP_YEAR, 1, 1);
    return new MonthDays(fields.days().monthDays()).in(first, length, day -> true) != 0;
  }
}
