package io.kairos.domain.schedule;

import io.kairos.domain.schedule.cron.CronExpression;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Reads the text of a pattern: {@code @every}, {@code @at}, or a cron expression. */
record PatternReader(String text) {
  private static final String EVERY = "@every";
  private static final String AT = "@at";
  private static final int LONGEST_ARGUMENT = 64;
  private static final int MOST_DIGITS = 9;

  TimePattern read(CronSyntax syntax, String seed, Instant anchor) {
    String word = firstWord();
    return switch (word) {
      case EVERY ->
          new TimePattern.FixedRate(period(), Instant.ofEpochSecond(anchor.getEpochSecond()));
      case AT -> new TimePattern.Once(instant());
      default -> new TimePattern.Cron(CronExpression.parse(text, syntax, seed));
    };
  }

  private String firstWord() {
    String trimmed = text.strip();
    int end = 0;
    while (end < trimmed.length() && end <= EVERY.length() && trimmed.charAt(end) > ' ') {
      end++;
    }
    return trimmed.substring(0, end).toLowerCase(Locale.ROOT);
  }

  private int argumentOffset() {
    int at = text.indexOf('@');
    while (at < text.length() && text.charAt(at) > ' ') {
      at++;
    }
    while (at < text.length() && text.charAt(at) <= ' ') {
      at++;
    }
    return at;
  }

  private RefusedExpressionException refused(String field, String allowed) {
    int at = argumentOffset();
    return new RefusedExpressionException(text, field, text.substring(at).strip(), allowed, at);
  }

  private Duration period() {
    String allowed = IntervalLimits.RULE + ", such as 90s, 1h30m, 1d or PT90S";
    String argument = text.substring(argumentOffset()).strip();
    try {
      Duration period =
          argument.length() > LONGEST_ARGUMENT || argument.isEmpty()
              ? Duration.ZERO
              : argument.charAt(0) == 'P' || argument.charAt(0) == 'p'
                  ? Duration.parse(argument)
                  : sumOfUnits(argument);
      if (IntervalLimits.isValid(period)) {
        return period;
      }
    } catch (DateTimeParseException | ArithmeticException e) {
      throw refused("interval", allowed);
    }
    throw refused("interval", allowed);
  }

  /** Reads numbers with their units such as {@code 1h30m}; zero for other texts. */
  private static Duration sumOfUnits(String argument) {
    Duration sum = Duration.ZERO;
    long number = 0;
    int digits = 0;
    for (int i = 0; i < argument.length(); i++) {
      char c = argument.charAt(i);
      if (c >= '0' && c <= '9') {
        number = number * 10 + (c - '0');
        digits++;
      } else {
        long seconds = unit(c);
        if (digits == 0 || digits > MOST_DIGITS || seconds == 0) {
          return Duration.ZERO;
        }
        sum = sum.plusSeconds(number * seconds);
        number = 0;
        digits = 0;
      }
    }
    return digits == 0 ? sum : Duration.ZERO;
  }

  private static long unit(char unit) {
    return switch (unit) {
      case 's' -> 1;
      case 'm' -> 60;
      case 'h' -> 3_600;
      case 'd' -> 86_400;
      case 'w' -> 7 * 86_400;
      default -> 0;
    };
  }

  private Instant instant() {
    String allowed = "a whole second with its offset, such as 2027-01-01T09:00:00Z";
    String argument = text.substring(argumentOffset()).strip();
    try {
      if (argument.length() <= LONGEST_ARGUMENT) {
        Instant at = OffsetDateTime.parse(argument).toInstant();
        if (EpochSeconds.isOne(at)) {
          return at;
        }
      }
    } catch (DateTimeException e) {
      throw refused("instant", allowed);
    }
    throw refused("instant", allowed);
  }
}
