package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.cron.CronExpression;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.domain.schedule.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;

/**
 * The times that a rule names, before bounds and calendars. All of them are known ahead, except
 * those of a {@link FixedDelay}.
 */
public sealed interface TimePattern {
  /**
   * Reads a cron expression, a macro, {@code @every 90s} or {@code @at 2027-01-01T00:00:00Z}.
   *
   * @param seed the text on which {@code H} and {@code ~} depend, such as the schedule's name
   * @param anchor one of the fire times of {@code @every}
   * @throws io.kairos.domain.schedule.text.RefusedExpressionException that points at the place
   */
  static TimePattern parse(String text, CronSyntax syntax, String seed, Instant anchor) {
    return new PatternReader(text).read(syntax, seed, anchor);
  }

  /** Returns a description in English. */
  String describe();

  /** Times of the wall clock by a cron expression. */
  record Cron(CronExpression expression) implements TimePattern {
    public Cron {
      requireNonNull(expression, "expression");
    }

    @Override
    public String describe() {
      return expression.describe();
    }
  }

  /** Times of the wall clock by a recurrence rule of RFC 5545. */
  record Recurring(Recurrence recurrence) implements TimePattern {
    public Recurring {
      requireNonNull(recurrence, "recurrence");
    }

    @Override
    public String describe() {
      return recurrence.describe();
    }
  }

  /**
   * Instants at equal intervals, whatever the wall clock does and however long a run takes.
   *
   * @param period whole seconds, from one to 3,650 days
   * @param anchor one of the fire times, a whole second; others come before it and after it
   */
  record FixedRate(Duration period, Instant anchor) implements TimePattern {
    public FixedRate {
      IntervalLimits.requireValid(period);
      IntervalLimits.requireWholeSecond(anchor);
    }

    @Override
    public String describe() {
      return "every " + IntervalLimits.say(period) + ", counted from " + anchor;
    }
  }

  /**
   * So long after the end of the last run, so that runs never overlap. The next fire time is known
   * only when that run has ended: until then, any second may be one.
   *
   * @param delay whole seconds, from one to 3,650 days
   */
  record FixedDelay(Duration delay) implements TimePattern {
    public FixedDelay {
      IntervalLimits.requireValid(delay);
    }

    @Override
    public String describe() {
      return IntervalLimits.say(delay) + " after the end of the last run";
    }
  }

  /** One instant, a whole second. */
  record Once(Instant at) implements TimePattern {
    public Once {
      IntervalLimits.requireWholeSecond(at);
    }

    @Override
    public String describe() {
      return "once at " + at;
    }
  }
}
