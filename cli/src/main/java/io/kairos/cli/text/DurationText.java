package io.kairos.cli.text;

import static java.util.Objects.requireNonNull;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: 500ms, 1.5s, 10m, 1h, 7d, and ISO 8601. */
public final class DurationText {
  private static final Pattern WORD = Pattern.compile("(\\d+)(ms|s|m|h|d)");
  private static final Pattern SECONDS = Pattern.compile("(\\d+\\.\\d{1,9})s");

  private DurationText() {}

  /** Throws {@link IllegalArgumentException} that names what can be read. */
  public static Duration parse(String text) {
    Matcher word = WORD.matcher(text);
    if (word.matches()) {
      long number = Long.parseLong(requireNonNull(word.group(1)));
      return switch (requireNonNull(word.group(2))) {
        case "ms" -> Duration.ofMillis(number);
        case "s" -> Duration.ofSeconds(number);
        case "m" -> Duration.ofMinutes(number);
        case "h" -> Duration.ofHours(number);
        default -> Duration.ofDays(number);
      };
    }
    Matcher seconds = SECONDS.matcher(text);
    try {
      return seconds.matches()
          ? Duration.parse("PT" + requireNonNull(seconds.group(1)) + "S")
          : Duration.parse(text.toUpperCase(Locale.ROOT));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a duration such as 500ms, 3s, 10m, 1h, 7d or PT1M30S", e);
    }
  }

  /** As short as it can be read back: 90s is 90s, two hours are 2h. */
  public static String of(Duration length) {
    if (length.isZero() || length.isNegative() || length.toMillis() == 0) {
      return length.isZero() ? "0s" : length.toString();
    }
    if (length.toNanosPart() != 0) {
      return length.toNanosPart() % 1_000_000 == 0 ? length.toMillis() + "ms" : length.toString();
    }
    long seconds = length.toSeconds();
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
