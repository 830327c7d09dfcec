package io.kairos.domain.schedule.calendar;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * When a business is open, by the wall clock of whoever asks.
 *
 * @param week hours of each weekday; a day that is not in it is off
 * @param closed dates that are off
 * @param closedYearly days that are off in every year
 * @param open hours of certain dates, whatever the others say
 */
public record BusinessCalendar(
    Map<DayOfWeek, WorkingHours> week,
    Set<LocalDate> closed,
    Set<MonthDay> closedYearly,
    Map<LocalDate, WorkingHours> open) {
  static final int MOST_DATES = 5_000;

  /** Throws {@link IllegalArgumentException} for more than 5,000 dates of a kind. */
  public BusinessCalendar {
    week = Map.copyOf(week);
    closed = Set.copyOf(closed);
    closedYearly = Set.copyOf(closedYearly);
    open = Map.copyOf(open);
    if (closed.size() > MOST_DATES || open.size() > MOST_DATES) {
      throw new IllegalArgumentException("a calendar has at most 5,000 dates of a kind");
    }
  }

  /** Open on Monday to Friday, all day, but for these dates. */
  public static BusinessCalendar workdaysWithout(Set<LocalDate> holidays) {
    return new BusinessCalendar(
        Map.of(
            DayOfWeek.MONDAY, WorkingHours.ALL_DAY,
            DayOfWeek.TUESDAY, WorkingHours.ALL_DAY,
            DayOfWeek.WEDNESDAY, WorkingHours.ALL_DAY,
            DayOfWeek.THURSDAY, WorkingHours.ALL_DAY,
            DayOfWeek.FRIDAY, WorkingHours.ALL_DAY),
        holidays,
        Set.of(),
        Map.of());
  }

  /** Open on these dates only, all day: a list of days to leave out or to keep to. */
  public static BusinessCalendar ofDates(Set<LocalDate> dates) {
    return new BusinessCalendar(
        Map.of(),
        Set.of(),
        Set.of(),
        dates.stream().collect(Collectors.toMap(date -> date, date -> WorkingHours.ALL_DAY)));
  }
}
