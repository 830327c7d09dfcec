package io.kairos.domain.delay;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.time.EpochMicros;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;

/**
 * Reads due times from header text. Every failure is an {@link IllegalArgumentException} whose
 * message says what is accepted.
 */
final class DueTime {
  private static final int MAX_LENGTH = 64;
  private static final long MICROS_PER_MILLI = 1_000;
  private static final String ACCEPTED_INSTANTS =
      "an RFC 3339 date and time (no offset = UTC) or milliseconds since 1970, in the years 0000 to 9999";
  private static final String ACCEPTED_DELAYS =
      "an ISO 8601 duration such as PT5S or milliseconds, not negative, ending before the year 10000";

  /** RFC 3339 with an optional offset: the reference's own example has none. */
  private static final DateTimeFormatter RFC_3339 =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffset("+HH:MM", "Z")
          .optionalEnd()
          .toFormatter()
          .withResolverStyle(ResolverStyle.STRICT);

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
              : EpochMicros.lengthOf(Duration.parse(text));
      require(delay >= 0, "negative");
      return checked(Math.addExact(Math.multiplyExact(fromMillis, MICROS_PER_MILLI), delay));
    } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
      throw new IllegalArgumentException(header + " is not " + ACCEPTED_DELAYS, e);
    }
  }

  private static long rfc3339(String text) {
    checkLength(text);
    TemporalAccessor parsed = RFC_3339.parseBest(text.trim(), Instant::from, LocalDateTime::from);
    Instant instant =
        parsed instanceof LocalDateTime local ? local.toInstant(ZoneOffset.UTC) : (Instant) parsed;
    return EpochMicros.of(instant);
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
