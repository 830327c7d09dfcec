package io.kairos.domain.schedule.text;

import java.time.DayOfWeek;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;

/** Makes small parts of English sentences about times. */
public final class EnglishPhrases {
  private EnglishPhrases() {}

  /** {@code a}, {@code a and b}, {@code a, b and c}. */
  public static String list(List<String> words) {
    return list(words, "and");
  }

  /** Like {@link #list(List)}, with another word before the last item. */
  public static String list(List<String> words, String last) {
    int size = words.size();
    return size < 2
        ? String.join("", words)
        : String.join(", ", words.subList(0, size - 1)) + " " + last + " " + words.get(size - 1);
  }

  /** {@code 09:30}, or {@code 09:30:05} with seconds. */
  public static String clock(int secondOfDay, boolean withSeconds) {
    int minute = secondOfDay / 60;
    String clock = String.format(Locale.ROOT, "%02d:%02d", minute / 60, minute % 60);
    return withSeconds ? String.format(Locale.ROOT, "%s:%02d", clock, secondOfDay % 60) : clock;
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
    return Month.of(month).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  /** The day's name, 0 for Sunday. */
  public static String weekday(int weekday) {
    return DayOfWeek.SUNDAY.plus(weekday).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }
}
