package io.kairos.domain.schedule.calendar;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A calendar as it is stored: a line for each day, in a fixed order, so that equal calendars have
 * equal texts.
 *
 * <pre>{@code
 * week MONDAY 09:00-12:00 13:00-17:00
 * closed 2026-12-25
 * yearly --01-01
 * open 2026-12-24 09:00-12:00
 * }</pre>
 *
 * Until midnight is written {@code 00:00}.
 */
public record CalendarText(String value) {
  private static final String WEEK = "week";
  private static final String CLOSED = "closed";
  private static final String YEARLY = "yearly";
  private static final String OPEN = "open";

  public static CalendarText of(WorkingCalendar calendar) {
    List<String> lines = new ArrayList<>();
    calendar.week().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(day -> lines.add(WEEK + " " + day.getKey() + hours(day.getValue())));
    calendar.closed().stream().sorted().forEach(day -> lines.add(CLOSED + " " + day));
    calendar.closedYearly().stream().sorted().forEach(day -> lines.add(YEARLY + " " + day));
    calendar.open().entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
        .forEach(day -> lines.add(OPEN + " " + day.getKey() + hours(day.getValue())));
    return new CalendarText(String.join("\n", lines));
  }

  private static String hours(WorkingHours hours) {
    return hours.shifts().stream()
        .map(shift -> " " + shift.from() + "-" + shift.until())
        .collect(Collectors.joining());
  }

  /**
   * Reads the calendar. Throws {@link IllegalArgumentException} for a text that {@link #of} does
   * not write.
   */
  public WorkingCalendar read() {
    Map<DayOfWeek, WorkingHours> week = new HashMap<>();
    Set<LocalDate> closed = new HashSet<>();
    Set<MonthDay> closedYearly = new HashSet<>();
    Map<LocalDate, WorkingHours> open = new HashMap<>();
    value
        .lines()
        .forEach(line -> {
          List<String> words = List.of(line.split(" ", -1));
          String day = words.get(1);
          switch (words.getFirst()) {
            case WEEK -> week.put(DayOfWeek.valueOf(day), hours(words));
            case CLOSED -> closed.add(LocalDate.parse(day));
            case YEARLY -> closedYearly.add(MonthDay.parse(day));
            case OPEN -> open.put(LocalDate.parse(day), hours(words));
            default -> throw new IllegalArgumentException("not a line of a calendar: " + line);
          }
        });
    return new WorkingCalendar(week, closed, closedYearly, open);
  }

  private static WorkingHours hours(List<String> words) {
    return new WorkingHours(
        words.stream()
            .skip(2)
            .map(word -> {
              int dash = word.indexOf('-');
              return new WorkingHours.Shift(
                  LocalTime.parse(word.substring(0, dash)),
                  LocalTime.parse(word.substring(dash + 1)));
            })
            .toList());
  }
}
