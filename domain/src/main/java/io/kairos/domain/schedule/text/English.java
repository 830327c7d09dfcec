package io.kairos.domain.schedule.text;

import java.util.List;

/** Small parts of English sentences about times. */
public final class English {
  private static final List<String> MONTHS =
      List.of(
          "January",
          "February",
          "March",
          "April",
          "May",
          "June",
          "July",
          "August",
          "September",
          "October",
          "November",
          "December");

  private static final List<String> WEEKDAYS =
      List.of("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");

  private English() {}

  /** {@code a}, {@code a and b}, {@code a, b and c}. */
  public static String list(List<String> words) {
    return list(words, "and");
  }

  /** As {@link #list(List)} with another word before the last. */
  public static String list(List<String> words, String last) {
    int size = words.size();
    return size < 2
        ? String.join("", words)
        : String.join(", ", words.subList(0, size - 1)) + " " + last + " " + words.get(size - 1);
  }

  /** {@code 1st}, {@code 22nd}, {@code 113th}. */
  public static String ordinal(int number) {
    String ending =
        number / 10 % 10 == 1
            ? "th"
            : switch (number % 10) {
              case 1 -> "st";
              case 2 -> "nd";
              case 3 -> "rd";
              default -> "th";
            };
    return number + ending;
  }

  /** {@code 1 minute}, {@code 2 minutes}. */
  public static String count(long number, String one) {
    return number + " " + one + (number == 1 ? "" : "s");
  }

  /** The month's name, 1 for January. */
  public static String month(int month) {
    return MONTHS.get(month - 1);
  }

  /** The day's name, 0 for Sunday. */
  public static String weekday(int weekday) {
    return WEEKDAYS.get(weekday);
  }
}
