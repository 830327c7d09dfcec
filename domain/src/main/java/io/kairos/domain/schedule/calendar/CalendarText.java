package io.kairos.domain.schedule.calendar;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
  public static CalendarText of(WorkingCalendar calendar) {
    List<String> lines = new ArrayList<>();
    calendar.week().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(day -> lines.add("week " + day.getKey() + hours(day.getValue())));
    calendar.closed().stream().sorted().forEach(day -> lines.add("closed " + day));
    calendar.closedYearly().stream().sorted().forEach(day -> lines.add("yearly " + day));
    calendar.open().entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
        .forEach(day -> lines.add("open " + day.getKey() + hours(day.getValue())));
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
    return CalendarLines.read(
        value, line -> new IllegalArgumentException("not a line of a calendar: " + line.line()));
  }
}
