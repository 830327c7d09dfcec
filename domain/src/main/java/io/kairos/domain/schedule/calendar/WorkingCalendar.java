package io.kairos.domain.schedule.calendar;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The open hours of a business, by the wall clock of the schedule.
 *
 * @param week hours of each weekday; a day that is not in it is off
 * @param closed dates that are off
 * @param closedYearly days that are off in every year
 * @param open hours of certain dates, which override the others
 */
public record WorkingCalendar(
    Map<DayOfWeek, WorkingHours> week,
    Set<LocalDate> closed,
    Set<MonthDay> closedYearly,
    Map<LocalDate, WorkingHours> open) {
  static final int MOST_DATES = 5_000;

  /** Throws {@link IllegalArgumentException} for more than 5,000 dates of a kind. */
  public WorkingCalendar {
    week = Map.copyOf(week);
    closed = Set.copyOf(closed);
    closedYearly = Set.copyOf(closedYearly);
    open = Map.copyOf(open);
    require(
        closed.size() <= MOST_DATES && open.size() <= MOST_DATES,
        "a calendar has at most 5,000 dates of a kind");
  }

  /** Returns a calendar that is open on Monday to Friday, all day, without these dates. */
  public static WorkingCalendar workdaysWithout(Set<LocalDate> holidays) {
    return new WorkingCalendar(
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

  /**
   * Returns a calendar that is open on these dates only, all day: a list of days to exclude or to
   * include.
   */
  public static WorkingCalendar ofDates(Set<LocalDate> dates) {
    return new WorkingCalendar(
        Map.of(),
        Set.of(),
        Set.of(),
        dates.stream().collect(Collectors.toMap(date -> date, date -> WorkingHours.ALL_DAY)));
  }
}
