package io.kairos.domain.schedule.local;

/**
 * Days of the proleptic Gregorian calendar as numbers since 1970-01-01, after Howard Hinnant's
 * "chrono-compatible low-level date algorithms". Does the work of {@code LocalDate} without an
 * object for each step of a search.
 */
public final class CivilDays {
  public static final int SECONDS_PER_DAY = 86_400;

  /** The number of years after which days, weekdays and leap years repeat. */
  public static final int CYCLE_YEARS = 400;

  /** The last year that rules look at. */
  public static final int LAST_YEAR = 9_999;

  private static final int DAYS_PER_CYCLE = 146_097;

  /** Days from 0000-03-01, where the cycle of the algorithms begins. */
  private static final int EPOCH_SHIFT = 719_468;

  private static final int THURSDAY = 4;
  private static final int MONTH_BITS = 4;
  private static final int DAY_BITS = 5;

  private CivilDays() {}

  public static long epochDay(int year, int month, int day) {
    int shifted = month <= 2 ? year - 1 : year;
    int cycle = Math.floorDiv(shifted, CYCLE_YEARS);
    int yearOfCycle = shifted - cycle * CYCLE_YEARS;
    int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear;
    return (long) cycle * DAYS_PER_CYCLE + dayOfCycle - EPOCH_SHIFT;
  }

  /** Year, month and day in one number, to be taken apart by the methods below. */
  public static int date(long epochDay) {
    long shifted = epochDay + EPOCH_SHIFT;
    long cycle = Math.floorDiv(shifted, DAYS_PER_CYCLE);
    int dayOfCycle = (int) (shifted - cycle * DAYS_PER_CYCLE);
    int yearOfCycle =
        (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365;
    int dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100);
    int shiftedMonth = (5 * dayOfYear + 2) / 153;
    int day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1;
    int month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
    int year = (int) (yearOfCycle + cycle * CYCLE_YEARS) + (month <= 2 ? 1 : 0);
    return (year << (MONTH_BITS + DAY_BITS)) | (month << DAY_BITS) | day;
  }

  public static int year(int date) {
    return date >> (MONTH_BITS + DAY_BITS);
  }

  public static int month(int date) {
    return date >> DAY_BITS & ((1 << MONTH_BITS) - 1);
  }

  public static int day(int date) {
    return date & ((1 << DAY_BITS) - 1);
  }

  public static int lengthOfMonth(int year, int month) {
    return switch (month) {
      case 2 -> isLeap(year) ? 29 : 28;
      case 4, 6, 9, 11 -> 30;
      default -> 31;
    };
  }

  private static boolean isLeap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % CYCLE_YEARS == 0);
  }

  /** 0 for Sunday to 6 for Saturday. */
  public static int weekday(long epochDay) {
    return (int) Math.floorMod(epochDay + THURSDAY, 7L);
  }

  public static long epochDayOf(long localSecond) {
    return Math.floorDiv(localSecond, SECONDS_PER_DAY);
  }

  public static int secondOfDay(long localSecond) {
    return Math.floorMod(localSecond, SECONDS_PER_DAY);
  }
}
