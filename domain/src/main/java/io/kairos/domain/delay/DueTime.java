package io.kairos.domain.delay;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.time.DurationText;
import io.kairos.domain.time.EpochMicros;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads due times from header text. Every failure is an {@link IllegalArgumentException} whose
 * message says what is accepted.
 */
final class DueTime {
  private static final int MAX_LENGTH = 64;
  private static final long MICROS_PER_MILLI = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int SECONDS_OF_DAY = 86_400;
  private static final String ACCEPTED_INSTANTS =
      "an RFC 3339 date and time (no offset = UTC) or milliseconds since 1970, in the years 0000 to 9999";
  private static final String ACCEPTED_DELAYS =
      "a duration such as 500ms, 1.5s, 10m, 1h30m, 7d or PT1M30S, or milliseconds, not negative, ending before the year 10000";

  /**
   * RFC 3339: a small letter or a blank may stand for T and Z, and seconds may have any number of
   * digits. Beyond it, seconds and offset may be missing: an example in the description of Chronos
   * has no offset.
   */
  private static final Pattern RFC_3339 =
      Pattern.compile(
          "(?<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ](?<hour>[0-9]{2}):(?<minute>[0-9]{2})"
              + "(:(?<second>[0-9]{2})([.](?<fraction>[0-9]+))?)?"
              + "([Zz]|(?<sign>[+-])(?<hours>[0-9]{2}):(?<minutes>[0-9]{2}))?");

  private DueTime() {}

  /** Reads an absolute time as microseconds since the epoch. */
  static long absolute(String header, String text) {
    try {
      return checked(
          isInteger(text)
              ? Math.multiplyExact(Long.parseLong(text), MICROS_PER_MILLI)
              : rfc3339(text));
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      throw new IllegalArgumentException(header + " is not " + ACCEPTED_INSTANTS, e);
    }
  }

  /** Reads a delay that counts from {@code fromMillis} as microseconds since the epoch. */
  static long afterDelay(String header, String text, long fromMillis) {
    if (fromMillis < 0) {
      throw new IllegalArgumentException(
          header + " counts from the record's timestamp, but the record has none");
    }
    try {
      checkLength(text);
      long delay =
          isInteger(text)
              ? Math.multiplyExact(Long.parseLong(text), MICROS_PER_MILLI)
              : EpochMicros.lengthOf(DurationText.parse(text));
      require(delay >= 0, "negative");
      return checked(Math.addExact(Math.multiplyExact(fromMillis, MICROS_PER_MILLI), delay));
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      throw new IllegalArgumentException(header + " is not " + ACCEPTED_DELAYS, e);
    }
  }

  private static long rfc3339(String text) {
    checkLength(text);
    Matcher time = RFC_3339.matcher(text.trim());
    require(time.matches(), "no date and time");
    int second = number(time, "second");
    boolean leaps = second == 60;
    long seconds =
        LocalDate.parse(requireNonNull(time.group("date")))
                .atTime(number(time, "hour"), number(time, "minute"), leaps ? 59 : second)
                .toEpochSecond(ZoneOffset.UTC)
            - offsetSeconds(time);
    // A leap second is the last of a day in UTC; what follows it is the next day's first.
    require(
        !leaps || Math.floorMod(seconds, SECONDS_OF_DAY) == SECONDS_OF_DAY - 1, "no leap second");
    return Math.addExact(
        Math.multiplyExact(leaps ? seconds + 1 : seconds, MICROS_PER_SECOND), micros(time));
  }

  private static long offsetSeconds(Matcher time) {
    int hours = number(time, "hours");
    int minutes = number(time, "minutes");
    require(hours <= 23 && minutes <= 59, "no offset");
    long seconds = hours * 3_600L + minutes * 60L;
    return "-".equals(time.group("sign")) ? -seconds : seconds;
  }

  /** Rounds up, so that nothing is early. */
  private static int micros(Matcher time) {
    @Nullable String fraction = time.group("fraction");
    if (fraction == null) {
      return 0;
    }
    String digits = fraction + "000000";
    boolean more = digits.substring(6).chars().anyMatch(digit -> digit != '0');
    return Integer.parseInt(digits.substring(0, 6)) + (more ? 1 : 0);
  }

  /** The number in a group, 0 for one that is not there. */
  private static int number(Matcher time, String group) {
    @Nullable String digits = time.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  private static boolean isInteger(String text) {
    checkLength(text);
    int start = text.startsWith("-") ? 1 : 0;
    for (int i = start; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return text.length() > start;
  }

  private static void checkLength(String text) {
    require(text.length() <= MAX_LENGTH, "longer than " + MAX_LENGTH + " characters");
  }

  private static long checked(long micros) {
    require(EpochMicros.inRange(micros), "outside the years 0000 to 9999");
    return micros;
  }
}
