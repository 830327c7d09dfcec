package io.kairos.api.text;

import static java.util.Objects.requireNonNull;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text form of durations in options, files and settings: 500ms, 1.5s, 10m, 1h, 7d, and ISO
 * 8601. Headers of delayed messages take the same. The JSON of the API uses the form of proto3
 * instead.
 */
public final class DurationText {
  private static final Pattern WORD = Pattern.compile("(?<many>\\d+)(?<unit>us|ms|s|m|h|d)");
  private static final Pattern SECONDS = Pattern.compile("\\d+\\.\\d{1,9}s");

  /** Units, the largest first. */
  private static final Map<String, Duration> UNITS = new LinkedHashMap<>();

  static {
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
      Matcher word = WORD.matcher(text);
      Duration length =
          word.matches()
              ? requireNonNull(UNITS.get(word.group("unit")))
                  .multipliedBy(Long.parseLong(requireNonNull(word.group("many"))))
              : Duration.parse(
                  SECONDS.matcher(text).matches() ? "PT" + text : text.toUpperCase(Locale.ROOT));
      if (!length.isNegative()) {
        return length;
      }
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(rule(text), e);
    }
    throw new IllegalArgumentException(rule(text));
  }

  private static String rule(String text) {
    return "'" + text + "' is not a duration such as 500ms, 3s, 10m, 1h, 7d or PT1M30S";
  }

  /**
   * Formats a duration in the largest unit that needs no fraction: 90s is 90s, two hours are 2h.
   */
  public static String of(Duration length) {
    if (length.isZero()) {
      return "0s";
    }
    for (Map.Entry<String, Duration> unit : UNITS.entrySet()) {
      long many = length.dividedBy(unit.getValue());
      if (many > 0 && unit.getValue().multipliedBy(many).equals(length)) {
        return many + unit.getKey();
      }
    }
    return length.toString();
  }
}
