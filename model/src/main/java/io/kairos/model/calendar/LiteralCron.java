package io.kairos.model.calendar;

import static java.time.temporal.TemporalAdjusters.dayOfWeekInMonth;
import static java.time.temporal.TemporalAdjusters.lastDayOfMonth;
import static java.time.temporal.TemporalAdjusters.lastInMonth;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * A cron expression of 5 or 7 fields, evaluated literally with {@code java.time} and without
 * production code. Sunday is the first value of the weekday field, numbered 0 or 1.
 */
public final class LiteralCron {
  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> WEEKDAYS =
      List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  private final String text;
  private final String monthDays;
  private final String weekdays;
  private final LiteralField monthDay;
  private final LiteralField month;
  private final LiteralField weekday;
  private final boolean sundayIsOne;
  private final boolean both;
  private final boolean[] hours = new boolean[24];
  private final boolean[] minutes = new boolean[60];
  private final boolean interval;

  /**
   * An expression of five fields.
   *
   * @param sundayIsOne as in Quartz; else as in crontab
   * @param both days must be in both day fields when both are restricted
   */
  public LiteralCron(String text, boolean sundayIsOne, boolean both) {
    this.text = text;
    this.sundayIsOne = sundayIsOne;
    this.both = both;
    String[] fields = text.split(" ", -1);
    LiteralField minute = new LiteralField(fields[0], 0, 59, List.of());
    LiteralField hour = new LiteralField(fields[1], 0, 23, List.of());
    for (int i = 0; i < minutes.length; i++) {
      minutes[i] = minute.names(i);
    }
    for (int i = 0; i < hours.length; i++) {
      hours[i] = hour.names(i);
    }
    monthDays = fields[2];
    monthDay = new LiteralField(fields[2], 1, 31, List.of());
    month = new LiteralField(fields[3], 1, 12, MONTHS);
    weekdays = fields[4];
    int sunday = sundayIsOne ? 1 : 0;
    weekday = new LiteralField(fields[4], sunday, sunday + 6, WEEKDAYS);
    interval = hasInterval(fields[0]) || hasInterval(fields[1]);
  }

  /** A star, or a step that is not within a range. */
  private static boolean hasInterval(String field) {
    return Stream.of(field.split(",", -1))
        .anyMatch(item -> item.contains("*") || (item.contains("/") && !item.contains("-")));
  }

  boolean isInterval() {
    return interval;
  }

  boolean namesTime(int hour, int minute) {
    return hours[hour] && minutes[minute];
  }

  LocalTime firstTime() {
    LocalTime time = LocalTime.MIDNIGHT;
    while (!namesTime(time.getHour(), time.getMinute())) {
      time = time.plusMinutes(1);
    }
    return time;
  }

  boolean namesDate(LocalDate date) {
    if (!month.names(date.getMonthValue())) {
      return false;
    }
    boolean ofMonth = Stream.of(monthDays.split(",", -1)).anyMatch(item -> isMonthDay(item, date));
    boolean ofWeek = Stream.of(weekdays.split(",", -1)).anyMatch(item -> isWeekday(item, date));
    boolean either = !both && isRestricted(monthDays) && isRestricted(weekdays);
    return either ? ofMonth || ofWeek : ofMonth && ofWeek;
  }

  private static boolean isRestricted(String field) {
    return !field.contains("*") && !field.equals("?");
  }

  private boolean isMonthDay(String item, LocalDate date) {
    LocalDate last = date.with(lastDayOfMonth());
    if (item.startsWith("L")) {
      String rest = item.substring(1).replace("W", "");
      int before = rest.isEmpty() ? 0 : Integer.parseInt(rest.substring(1));
      LocalDate wanted = last.minusDays(before);
      if (wanted.getMonth() != date.getMonth()) {
        return false;
      }
      return date.equals(item.endsWith("W") ? weekdayNear(wanted, last) : wanted);
    }
    if (item.endsWith("W")) {
      int day = Integer.parseInt(item.substring(0, item.length() - 1));
      return day <= last.getDayOfMonth()
          && date.equals(weekdayNear(date.withDayOfMonth(day), last));
    }
    return new LiteralField(item, monthDay.min(), monthDay.max(), List.of())
        .names(date.getDayOfMonth());
  }

  private static LocalDate weekdayNear(LocalDate day, LocalDate last) {
    return switch (day.getDayOfWeek()) {
      case SATURDAY -> day.getDayOfMonth() == 1 ? day.plusDays(2) : day.minusDays(1);
      case SUNDAY -> day.equals(last) ? day.minusDays(2) : day.plusDays(1);
      default -> day;
    };
  }

  private boolean isWeekday(String item, LocalDate date) {
    if (item.contains("#")) {
      String[] parts = item.split("#", -1);
      LocalDate nth = date.with(dayOfWeekInMonth(Integer.parseInt(parts[1]), dayOfWeek(parts[0])));
      return date.equals(nth);
    }
    if (item.endsWith("L") && item.length() > 1) {
      return date.equals(date.with(lastInMonth(dayOfWeek(item.substring(0, item.length() - 1)))));
    }
    int number = date.getDayOfWeek().getValue() % 7 + (sundayIsOne ? 1 : 0);
    LiteralField field = new LiteralField(item, weekday.min(), weekday.max(), weekday.names());
    return field.names(number);
  }

  private DayOfWeek dayOfWeek(String text) {
    int number = weekday.number(text) - (sundayIsOne ? 1 : 0);
    return DayOfWeek.of(number == 0 ? 7 : number);
  }

  @Override
  public String toString() {
    return text;
  }
}
