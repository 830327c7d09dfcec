package io.kairos.domain.schedule.calendar;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads the text of business calendars, one rule a line: {@code week MONDAY-FRIDAY 09:00-17:00},
 * {@code closed 2026-12-25}, {@code yearly 01-01}, {@code open 2026-12-24 09:00-12:00}. A day
 * without hours is open all day. What {@link CalendarText} writes is such a text.
 */
public final class CalendarLines {
  private final Map<DayOfWeek, WorkingHours> week = new EnumMap<>(DayOfWeek.class);
  private final Set<LocalDate> closed = new HashSet<>();
  private final Set<MonthDay> closedYearly = new HashSet<>();
  private final Map<LocalDate, WorkingHours> open = new HashMap<>();

  private CalendarLines() {}

  /** A line that is no rule; lines are counted from 1. */
  public record Refused(int number, String line, String why) {}

  /**
   * Throws {@link IllegalArgumentException} for days that make no calendar.
   *
   * @param refusal makes the exception for a line that is no rule
   */
  public static WorkingCalendar read(String text, Function<Refused, RuntimeException> refusal) {
    CalendarLines lines = new CalendarLines();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String plain = line.replaceFirst("#.*", "").strip();
      if (!plain.isEmpty()) {
        try {
          lines.line(List.of(plain.split("\\s+", -1)));
        } catch (IllegalArgumentException | DateTimeException e) {
          throw refusal.apply(new Refused(number, plain, String.valueOf(e.getMessage())));
        }
      }
    }
    return new WorkingCalendar(lines.week, lines.closed, lines.closedYearly, lines.open);
  }

  private void line(List<String> words) {
    if (words.size() < 2) {
      throw new IllegalArgumentException("needs a day behind week, closed, yearly or open");
    }
    String day = words.get(1);
    switch (words.getFirst().toLowerCase(Locale.ROOT)) {
      case "week" -> days(day).forEach(one -> week.put(one, hours(words)));
      case "closed" -> closed.add(LocalDate.parse(alone(words)));
      case "yearly" ->
          closedYearly.add(MonthDay.parse(alone(words).startsWith("--") ? day : "--" + day));
      case "open" -> open.put(LocalDate.parse(day), hours(words));
      default -> throw new IllegalArgumentException("must begin with week, closed, yearly or open");
    }
  }

  private static String alone(List<String> words) {
    if (words.size() > 2) {
      throw new IllegalArgumentException("takes one day, and no hours");
    }
    return words.get(1);
  }

  /** Reads days such as MONDAY, MON, MON-FRI or SAT,SUN. */
  private static List<DayOfWeek> days(String text) {
    List<DayOfWeek> days = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String[] ends = part.split("-", 2);
      DayOfWeek day = day(ends[0]);
      DayOfWeek last = day(ends[ends.length - 1]);
      days.add(day);
      while (day != last) {
        day = day.plus(1);
        days.add(day);
      }
    }
    return days;
  }

  private static DayOfWeek day(String text) {
    for (DayOfWeek day : DayOfWeek.values()) {
      String word = text.toUpperCase(Locale.ROOT);
      if (day.name().equals(word) || day.name().substring(0, 3).equals(word)) {
        return day;
      }
    }
    throw new IllegalArgumentException("'" + text + "' must be MONDAY to SUNDAY, or MON to SUN");
  }

  private static WorkingHours hours(List<String> words) {
    if (words.size() == 2) {
      return WorkingHours.ALL_DAY;
    }
    List<WorkingHours.Shift> shifts = new ArrayList<>();
    for (String word : words.subList(2, words.size())) {
      String[] ends = word.split("-", 2);
      if (ends.length != 2) {
        throw new IllegalArgumentException("'" + word + "' must be hours such as 09:00-17:00");
      }
      shifts.add(new WorkingHours.Shift(LocalTime.parse(ends[0]), until(ends[1])));
    }
    return new WorkingHours(shifts);
  }

  private static LocalTime until(String text) {
    return text.equals("24:00") ? LocalTime.MIDNIGHT : LocalTime.parse(text);
  }
}
