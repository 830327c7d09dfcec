package io.kairos.domain.time;

import static java.util.Objects.requireNonNull;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the text of a duration: numbers with their units such as {@code 500ms}, {@code 1.5s} or
 * {@code 1h30m}, or ISO 8601. {@code DurationText} of the module {@code api}, which must not see
 * this one, reads the same grammar; a test of the edge compares the two.
 */
public final class DurationReader {
  private static final int LONGEST_TEXT = 64;

  /** A number and its unit; only seconds may have a fraction. */
  private static final Pattern PART =
      Pattern.compile(
          "(?<many>[0-9]{1,18})(?:\\.(?<fraction>[0-9]{1,9})(?=s))?(?<unit>w|d|h|ms|m|us|s)");

  private static final Map<String, Duration> UNITS =
      Map.of(
          "w", Duration.ofDays(7),
          "d", Duration.ofDays(1),
          "h", Duration.ofHours(1),
          "m", Duration.ofMinutes(1),
          "s", Duration.ofSeconds(1),
          "ms", Duration.ofMillis(1),
          "us", Duration.ofNanos(1_000));

  private DurationReader() {}

  /** Reads a duration, which is never negative; throws {@link IllegalArgumentException}. */
  public static Duration read(String text) {
    try {
      Duration length = lengthOf(text);
      if (!length.isNegative()) {
        return length;
      }
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("not a duration", e);
    }
    throw new IllegalArgumentException("a negative duration");
  }

  private static Duration lengthOf(String text) {
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
}
