package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.text.English;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What holds of the times between fires: whole seconds, and an end. */
final class Interval {
  static final Duration LONGEST = Duration.ofDays(3_650);
  static final String RULE = "whole seconds from 1 s to 3,650 days";

  private Interval() {}

  static boolean isValid(Duration interval) {
    return interval.equals(interval.truncatedTo(ChronoUnit.SECONDS))
        && interval.isPositive()
        && interval.compareTo(LONGEST) <= 0;
  }

  static void requireValid(Duration interval) {
    requireNonNull(interval, "interval");
    if (!isValid(interval)) {
      throw new IllegalArgumentException("an interval has " + RULE + ", not " + interval);
    }
  }

  static void requireWholeSecond(Instant instant) {
    requireNonNull(instant, "instant");
    if (!Seconds.isWhole(instant) || !Seconds.isInRange(instant)) {
      throw new IllegalArgumentException(
          "a fire time is a whole second of the years 0 to 9999, not " + instant);
    }
  }

  static String say(Duration interval) {
    List<String> parts = new ArrayList<>();
    add(parts, interval.toDays(), "day");
    add(parts, interval.toHoursPart(), "hour");
    add(parts, interval.toMinutesPart(), "minute");
    add(parts, interval.toSecondsPart(), "second");
    return English.list(parts);
  }

  private static void add(List<String> parts, long number, String unit) {
    if (number > 0) {
      parts.add(English.count(number, unit));
    }
  }
}
