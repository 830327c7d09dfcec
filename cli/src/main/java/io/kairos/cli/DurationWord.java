package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads 500ms, 3s, 10m, 1h, and ISO 8601. */
public final class DurationWord implements ITypeConverter<Duration> {
  private static final Pattern WORD = Pattern.compile("(\\d+)(ms|s|m|h)");

  @Override
  public Duration convert(String text) {
    Matcher word = WORD.matcher(text);
    if (word.matches()) {
      long number = Long.parseLong(requireNonNull(word.group(1)));
      return switch (requireNonNull(word.group(2))) {
        case "ms" -> Duration.ofMillis(number);
        case "s" -> Duration.ofSeconds(number);
        case "m" -> Duration.ofMinutes(number);
        default -> Duration.ofHours(number);
      };
    }
    try {
      return Duration.parse(text.toUpperCase(Locale.ROOT));
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration such as 500ms, 3s, 10m, 1h or PT1M30S");
    }
  }
}
