package io.kairos.domain.schedule;

import io.kairos.domain.schedule.cron.CronExpression;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import io.kairos.domain.time.DurationText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text of a pattern: {@code @every}, {@code @at}, or a cron expression. */
record PatternReader(String text) {
  private static final Pattern WORD =
      Pattern.compile("(@every|@at)(?![^\\x00-\\x20])[\\x00-\\x20]*", Pattern.CASE_INSENSITIVE);
  private static final int LONGEST_ARGUMENT = 64;

  TimePattern read(CronSyntax syntax, String seed, Instant anchor) {
    int begin = text.length() - text.stripLeading().length();
    Matcher word = WORD.matcher(text).region(begin, text.length());
    if (!word.lookingAt()) {
      return new TimePattern.Cron(CronExpression.parse(text, syntax, seed));
    }
    return word.end(1) - begin == "@at".length()
        ? new TimePattern.Once(instant(word.end()))
        : new TimePattern.FixedRate(
            period(word.end()), Instant.ofEpochSecond(anchor.getEpochSecond()));
  }

  private RefusedExpressionException refused(int at, String field, String allowed) {
    return new RefusedExpressionException(text, field, text.substring(at).strip(), allowed, at);
  }

  private Duration period(int at) {
    String allowed = IntervalLimits.RULE + ", such as 90s, 1h30m, 1d or PT90S";
    String argument = text.substring(at).strip();
    try {
      Duration period = DurationText.parse(argument);
      if (IntervalLimits.isValid(period)) {
        return period;
      }
    } catch (IllegalArgumentException e) {
      throw refused(at, "interval", allowed);
    }
    throw refused(at, "interval", allowed);
  }

  private Instant instant(int at) {
    String allowed = "a whole second with its offset, such as 2027-01-01T09:00:00Z";
    String argument = text.substring(at).strip();
    try {
      if (argument.length() <= LONGEST_ARGUMENT) {
        Instant instant = OffsetDateTime.parse(argument).toInstant();
        if (EpochSeconds.isOne(instant)) {
          return instant;
        }
      }
    } catch (DateTimeException e) {
      throw refused(at, "instant", allowed);
    }
    throw refused(at, "instant", allowed);
  }
}
