package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.text.EnglishPhrases;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The values that a field may have.
 *
 * @param index the number of the field, so that hashed values of fields differ
 * @param max the greatest number that may be written
 * @param size the number of different values: 7 and 0 are both Sunday
 * @param zero the written number of the internal value 0
 * @param names the English names of the values from {@code min} on, may be empty; three letters of
 *     a name are enough
 */
record FieldDomain(
    int index, String label, int min, int max, int size, int zero, List<String> names) {
  private static final int ABBREVIATED = 3;
  private static final int WEEK = 7;

  static final FieldDomain SECOND = numbers(0, "second", 0, 59);
  static final FieldDomain MINUTE = numbers(1, "minute", 0, 59);
  static final FieldDomain HOUR = numbers(2, "hour", 0, 23);
  static final FieldDomain DAY_OF_MONTH = numbers(3, "day of month", 1, 31);
  static final FieldDomain MONTH =
      new FieldDomain(
          4,
          "month",
          1,
          12,
          12,
          0,
          IntStream.rangeClosed(1, 12).mapToObj(EnglishPhrases::month).toList());
  static final FieldDomain YEAR = numbers(6, "year", YearSet.FIRST, YearSet.LAST);

  private static final List<String> WEEKDAYS =
      IntStream.range(0, WEEK).mapToObj(EnglishPhrases::weekday).toList();
  private static final FieldDomain UNIX_WEEKDAY =
      new FieldDomain(5, "day of week", 0, 7, WEEK, 0, WEEKDAYS);
  private static final FieldDomain QUARTZ_WEEKDAY =
      new FieldDomain(5, "day of week", 1, 7, WEEK, 1, WEEKDAYS);

  private static FieldDomain numbers(int index, String label, int min, int max) {
    return new FieldDomain(index, label, min, max, max - min + 1, 0, List.of());
  }

  static FieldDomain dayOfWeek(CronDialect dialect) {
    return switch (dialect) {
      case UNIX -> UNIX_WEEKDAY;
      case QUARTZ -> QUARTZ_WEEKDAY;
    };
  }

  /** Returns the greatest value that {@code *} reaches. */
  int last() {
    return min + size - 1;
  }

  /** Returns the internal value that is {@code steps} after the written one. */
  int valueAt(int written, int steps) {
    return (written - min + steps) % size + min - zero;
  }

  /** Returns true if the least value follows the greatest; years do not repeat. */
  boolean wraps() {
    return index != YEAR.index;
  }

  /** Returns the length of the name at this place of the text, whole or abbreviated; 0 if none. */
  int nameLength(String text, int at) {
    int value = named(text, at);
    if (value < 0) {
      return 0;
    }
    String name = names.get(value - min);
    return text.regionMatches(true, at, name, 0, name.length()) ? name.length() : ABBREVIATED;
  }

  /** Returns the number of the name at this place of the text, or -1. */
  int named(String text, int at) {
    for (int i = 0; i < names.size(); i++) {
      if (text.regionMatches(true, at, names.get(i), 0, ABBREVIATED)) {
        return min + i;
      }
    }
    return -1;
  }

  /** Returns the allowed values, for a message. */
  String allowed() {
    String numbers = String.format(Locale.ROOT, "%d to %d", min, max);
    if (names.isEmpty()) {
      return numbers;
    }
    String sunday = size != WEEK ? "" : min == 0 ? " with Sunday as 0 and 7" : " with Sunday as 1";
    return numbers
        + sunday
        + ", or "
        + abbreviated(names.getFirst())
        + " to "
        + abbreviated(names.getLast());
  }

  private static String abbreviated(String name) {
    return name.substring(0, ABBREVIATED).toUpperCase(Locale.ROOT);
  }
}
