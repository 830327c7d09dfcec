package io.kairos.domain.schedule;

import io.kairos.domain.schedule.cron.CronExpression;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import io.kairos.domain.time.DurationReader;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;

/** Reads the text of a pattern: {@code @every}, {@code @at}, or a cron expression. */
record PatternReader(String text) {
  private static final String EVERY = "@every";
  private static final String AT = "@at";
  private static final int LONGEST_ARGUMENT = 64;

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
      Duration period = DurationReader.read(argument);
      if (IntervalLimits.isValid(period)) {
        return period;
      }
    } catch (IllegalArgumentException e) {
      throw refused("interval", allowed);
    }
    throw refused("interval", allowed);
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
