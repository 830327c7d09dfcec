package io.kairos.domain.schedule.recurrence;

/**
 * {@code MO}, {@code 2MO}, {@code -1FR}.
 *
 * @param weekday 0 for Sunday
 * @param number from the beginning of month or year, negative from its end, 0 for every one
 */
record WeekdayOrdinal(int weekday, int number) {}
