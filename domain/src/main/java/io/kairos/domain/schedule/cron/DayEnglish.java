package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.text.EnglishPhrases;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Describes the day fields of an expression in English. */
record DayEnglish(DayFields days) {
  String describe() {
    String ofMonth =
        EnglishPhrases.list(days.monthDays().stream().flatMap(DayEnglish::said).toList());
    String ofWeek =
        EnglishPhrases.list(days.weekdays().stream().flatMap(DayEnglish::said).toList());
    if (days.isAllMonthDays() && days.isAllWeekdays()) {
      return "every day";
    }
    if (days.isAllMonthDays()) {
      return "on " + ofWeek;
    }
    String inMonth = "on " + ofMonth + " of the month";
    if (days.isAllWeekdays()) {
      return inMonth;
    }
    return inMonth + (days.isEither() ? " or on " : ", but only on ") + ofWeek;
  }

  private static Stream<String> said(MonthDayItem item) {
    return switch (item) {
      case MonthDayItem.Days(CronRange span) when span.isAll() -> Stream.of("every day");
      case MonthDayItem.Days(CronRange span) when span.step() == 1 && !span.isSingle() ->
          Stream.of(
              "the "
                  + EnglishPhrases.ordinal(span.from())
                  + " to "
                  + EnglishPhrases.ordinal(span.to()));
      case MonthDayItem.Days(CronRange span) when span.step() > 1 && span.isLong() ->
          Stream.of(
              "every "
                  + EnglishPhrases.ordinal(span.step())
                  + " day from the "
                  + EnglishPhrases.ordinal(span.from())
                  + " to the "
                  + EnglishPhrases.ordinal(span.to()));
      case MonthDayItem.Days(CronRange span) ->
          span.values().mapToObj(day -> "the " + EnglishPhrases.ordinal(day));
      case MonthDayItem.FromLast(int before, boolean working) ->
          Stream.of(fromLast(before, working));
      case MonthDayItem.Nearest(int day) ->
          Stream.of("the working day nearest to the " + EnglishPhrases.ordinal(day));
    };
  }

  private static String fromLast(int before, boolean working) {
    if (before == 0) {
      return working ? "the last working day" : "the last day";
    }
    String day = "the " + EnglishPhrases.ordinal(before) + " day before the last";
    return working ? "the working day nearest to " + day : day;
  }

  private static Stream<String> said(WeekdayItem item) {
    return switch (item) {
      case WeekdayItem.Days(CronRange span) when span.isAll() -> Stream.of("every day");
      case WeekdayItem.Days(CronRange span) -> said(span);
      case WeekdayItem.Last(int weekday) ->
          Stream.of("the last " + EnglishPhrases.weekday(weekday) + " of the month");
      case WeekdayItem.Nth(int weekday, int number) ->
          Stream.of(
              "the "
                  + EnglishPhrases.ordinal(number)
                  + " "
                  + EnglishPhrases.weekday(weekday)
                  + " of the month");
    };
  }

  private static Stream<String> said(CronRange weekdays) {
    List<String> names =
        new ArrayList<>(weekdays.values().mapToObj(EnglishPhrases::weekday).toList());
    return weekdays.step() == 1 && names.size() > 2
        ? Stream.of(names.getFirst() + " to " + names.getLast())
        : names.stream();
  }
}
