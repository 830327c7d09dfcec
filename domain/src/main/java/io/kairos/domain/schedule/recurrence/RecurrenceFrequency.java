package io.kairos.domain.schedule.recurrence;

/** The period of a recurrence rule; sorted from the longest. */
enum RecurrenceFrequency {
  YEARLY("year", 0),
  MONTHLY("month", 0),
  WEEKLY("week", 0),
  DAILY("day", 0),
  HOURLY("hour", 3_600),
  MINUTELY("minute", 60),
  SECONDLY("second", 1);

  private final String unit;
  private final int seconds;

  RecurrenceFrequency(String unit, int seconds) {
    this.unit = unit;
    this.seconds = seconds;
  }

  String unit() {
    return unit;
  }

  /** Length of a period that is shorter than a day. */
  int seconds() {
    return seconds;
  }

  boolean isWithinDay() {
    return seconds > 0;
  }
}
