package io.kairos.domain.schedule;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.schedule.text.EnglishPhrases;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The bounds of intervals between fires: whole seconds, and a longest one. */
final class IntervalLimits {
  static final Duration LONGEST = Duration.ofDays(3_650);
  static final String RULE = "whole seconds from 1 s to 3,650 days";

  private IntervalLimits() {}

  static boolean isValid(Duration interval) {
    return interval.equals(interval.truncatedTo(ChronoUnit.SECONDS))
        && interval.isPositive()
        && interval.compareTo(LONGEST) <= 0;
  }

  static void requireValid(Duration interval) {
    require(isValid(interval), "an interval has " + RULE + ", not ", interval);
  }

  static void requireWholeSecond(Instant instant) {
    require(
        EpochSeconds.isOne(instant),
        "a fire time is a whole second of the years 0 to 9999, not ",
        instant);
  }

  static String say(Duration interval) {
    List<String> parts = new ArrayList<>();
    add(parts, interval.toDays(), "day");
    add(parts, interval.toHoursPart(), "hour");
    add(parts, interval.toMinutesPart(), "minute");
    add(parts, interval.toSecondsPart(), "second");
    return EnglishPhrases.list(parts);
  }

  private static void add(List<String> parts, long number, String unit) {
    if (number > 0) {
      parts.add(EnglishPhrases.count(number, unit));
    }
  }
}
