package io.kairos.domain.time;

import static java.util.Objects.requireNonNull;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text form of durations in options, files, settings, headers of delayed messages and {@code
 * @every}: numbers with their units such as {@code 500ms}, {@code 1.5s} or {@code 1h30m}, or ISO
 * 8601. The JSON of the API uses the form of proto3 instead.
 */
public final class DurationText {
  private static final int LONGEST_TEXT = 64;

  private static final String UNIT = "us|ms|s|m|h|d|w";
  private static final String FRACTION = "[0-9]{1,9}";

  /** A number and its unit; only seconds may have a fraction. */
  private static final Pattern PART =
      Pattern.compile(
          "(?<many>[0-9]{1,18})(?:\\.(?<fraction>" + FRACTION + ")(?=s))?(?<unit>" + UNIT + ")");

  /**
   * A regular expression for schemas, valid in Java and in JavaScript, that every duration matches;
   * what matches it may still be too long, or wrong ISO 8601.
   */
  public static final String PATTERN = "[pP].+|([0-9]+(\\." + FRACTION + "s|" + UNIT + "))+";

  /** From here on the number of the smallest unit would not fit a long. */
  private static final Duration LONGEST_IN_UNITS = Duration.of(Long.MAX_VALUE, ChronoUnit.MICROS);

  /** Units, the largest first. */
  private static final Map<String, Duration> UNITS = new LinkedHashMap<>();

  static {
    UNITS.put("w", Duration.ofDays(7));
    UNITS.put("d", Duration.ofDays(1));
    UNITS.put("h", Duration.ofHours(1));
    UNITS.put("m", Duration.ofMinutes(1));
    UNITS.put("s", Duration.ofSeconds(1));
    UNITS.put("ms", Duration.ofMillis(1));
    UNITS.put("us", Duration.ofNanos(1_000));
  }

  private DurationText() {}

  /**
   * Parses a duration, which is never negative. Throws {@link IllegalArgumentException} with
   * examples of valid durations.
   */
  public static Duration parse(String text) {
    try {
      Duration length = read(text);
      if (!length.isNegative()) {
        return length;
      }
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(rule(text), e);
    }
    throw new IllegalArgumentException(rule(text));
  }

  private static Duration read(String text) {
    if (text.isEmpty() || text.length() > LONGEST_TEXT) {
      throw new DateTimeException("no text, or too long");
    }
    if (text.charAt(0) == 'P' || text.charAt(0) == 'p') {
      return Duration.parse(text);
    }
    Duration sum = Duration.ZERO;
    Matcher part = PART.matcher(text);
    for (int at = 0; at < text.length(); at = part.end()) {
      if (!part.region(at, text.length()).lookingAt()) {
        throw new DateTimeException("no number with its unit");
      }
      Duration unit = requireNonNull(UNITS.get(part.group("unit")));
      sum = sum.plus(unit.multipliedBy(Long.parseLong(requireNonNull(part.group("many")))));
      String fraction = part.group("fraction");
      if (fraction != null) {
        sum = sum.plusNanos(Long.parseLong((fraction + "00000000").substring(0, 9)));
      }
    }
    return sum;
  }

  private static String rule(String text) {
    return "'" + text + "' is not a duration such as 500ms, 3s, 10m, 1h30m, 7d or PT1M30S";
  }

  /**
   * Formats a duration in the largest unit up to days that needs no fraction: 90s is 90s, two hours
   * are 2h.
   */
  public static String of(Duration length) {
    if (length.isZero()) {
      return "0s";
    }
    if (length.compareTo(LONGEST_IN_UNITS) > 0) {
      return length.toString();
    }
    for (Map.Entry<String, Duration> unit : UNITS.entrySet()) {
      long many = length.dividedBy(unit.getValue());
      if (many > 0
          && !unit.getKey().equals("w")
          && unit.getValue().multipliedBy(many).equals(length)) {
        return many + unit.getKey();
      }
    }
    return length.toString();
  }
}
