package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.text.English;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Says the day fields of an expression in English. */
final class DayEnglish {
  private final DayFields days;

  DayEnglish(DayFields days) {
    this.days = days;
  }

  String describe() {
    String ofMonth = English.list(days.monthDays().stream().flatMap(DayEnglish::said).toList());
    String ofWeek = English.list(days.weekdays().stream().flatMap(DayEnglish::said).toList());
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
      case MonthDayItem.Days(Span span) when span.isAll() -> Stream.of("every day");
      case MonthDayItem.Days(Span span) when span.step() == 1 && !span.isSingle() ->
          Stream.of("the " + English.ordinal(span.from()) + " to " + English.ordinal(span.to()));
      case MonthDayItem.Days(Span span) when span.step() > 1 && span.isLong() ->
          Stream.of(
              "every "
                  + English.ordinal(span.step())
                  + " day from the "
                  + English.ordinal(span.from())
                  + " to the "
                  + English.ordinal(span.to()));
      case MonthDayItem.Days(Span span) ->
          span.values().mapToObj(day -> "the " + English.ordinal(day));
      case MonthDayItem.FromLast(int before, boolean working) ->
          Stream.of(fromLast(before, working));
      case MonthDayItem.Nearest(int day) ->
          Stream.of("the working day nearest to the " + English.ordinal(day));
    };
  }

  private static String fromLast(int before, boolean working) {
    if (before == 0) {
      return working ? "the last working day" : "the last day";
    }
    String day = "the " + English.ordinal(before) + " day before the last";
    return working ? "the working day nearest to " + day : day;
  }

  private static Stream<String> said(WeekdayItem item) {
    return switch (item) {
      case WeekdayItem.Days(Span span) when span.isAll() -> Stream.of("every day");
      case WeekdayItem.Days(Span span) -> said(span);
      case WeekdayItem.Last(int weekday) ->
          Stream.of("the last " + English.weekday(weekday) + " of the month");
      case WeekdayItem.Nth(int weekday, int number) ->
          Stream.of(
              "the " + English.ordinal(number) + " " + English.weekday(weekday) + " of the month");
    };
  }

  private static Stream<String> said(Span weekdays) {
    List<String> names = new ArrayList<>(weekdays.values().mapToObj(English::weekday).toList());
    return weekdays.step() == 1 && names.size() > 2
        ? Stream.of(names.getFirst() + " to " + names.getLast())
        : names.stream();
  }
}
