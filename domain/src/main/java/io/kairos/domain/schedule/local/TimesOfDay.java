package io.kairos.domain.schedule.local;

/**
 * Every combination of these hours, minutes and seconds. None of the sets is empty.
 *
 * @param hours bits 0 to 23
 * @param minutes bits 0 to 59
 * @param seconds bits 0 to 59
 */
public record TimesOfDay(int hours, long minutes, long seconds) {
  private static final int MINUTE = 60;
  private static final int HOUR = 3_600;

  /** The first second of the day not before {@code second}, or -1 when the day has none left. */
  public int nextAtOrAfter(int second) {
    int hour = second / HOUR;
    if (SmallNumberSets.has(hours, hour)) {
      int minute = second / MINUTE % MINUTE;
      if (SmallNumberSets.has(minutes, minute)) {
        int next = SmallNumberSets.nextAtOrAfter(seconds, second % MINUTE);
        if (next >= 0) {
          return hour * HOUR + minute * MINUTE + next;
        }
      }
      int next = SmallNumberSets.nextAtOrAfter(minutes, minute + 1);
      if (next >= 0) {
        return hour * HOUR + next * MINUTE + Long.numberOfTrailingZeros(seconds);
      }
    }
    int next = SmallNumberSets.nextAtOrAfter(hours, hour + 1);
    return next < 0 ? -1 : next * HOUR + firstInHour();
  }

  private int firstInHour() {
    return Long.numberOfTrailingZeros(minutes) * MINUTE + Long.numberOfTrailingZeros(seconds);
  }

  public int first() {
    return Integer.numberOfTrailingZeros(hours) * HOUR + firstInHour();
  }
}
