package io.kairos.domain.schedule.recurrence;

import io.kairos.domain.schedule.local.TimesOfDay;
import java.util.List;

/**
 * A recurrence rule with everything filled in that RFC 5545 takes from the start.
 *
 * @param start DTSTART in local seconds
 * @param months bits 1 to 12
 * @param monthDays bits 1 to 31, from the beginning of the month
 * @param lastDays bits 1 to 31, from the end of the month; with {@code monthDays} empty for any day
 * @param weekdays empty for any
 * @param inYear true if weekdays are counted in the year and not in the month
 * @param positions BYSETPOS, empty for all
 * @param weekStart 0 for Sunday
 * @param until the last local second that may fire
 */
record RecurrenceParts(
    RecurrenceFrequency frequency,
    int interval,
    long start,
    long months,
    long monthDays,
    long lastDays,
    List<WeekdayOrdinal> weekdays,
    boolean inYear,
    TimesOfDay times,
    List<Integer> positions,
    int weekStart,
    long until) {

  RecurrenceParts until(long last) {
    return new RecurrenceParts(
        frequency, interval, start, months, monthDays, lastDays, weekdays, inYear, times, positions,
        weekStart, last);
  }
}
