package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.local.LocalRule;
import io.kairos.domain.schedule.local.WorkingDays;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * A cron expression of 5, 6 (seconds first) or 7 (years last) fields, or a macro such as
 * {@code @daily}. It knows local times only; {@link io.kairos.domain.schedule.ScheduleClock} has
 * the zone.
 */
public final class CronExpression {
  private final String text;
  private final CronFields fields;
  private final LocalCron rule;

  private CronExpression(String text, CronFields fields) {
    this.text = text;
    this.fields = fields;
    this.rule = new LocalCron(fields, WorkingDays.MONDAY_TO_FRIDAY);
  }

  /**
   * Reads an expression of at most 256 characters, in time linear in its length.
   *
   * @param seed the text on which {@code H} and {@code ~} depend, such as the schedule's name
   * @throws RefusedExpressionException that points at the place, also when it can never match
   */
  public static CronExpression parse(String text, CronSyntax syntax, String seed) {
    return new CronExpression(text, CronReader.read(text, syntax, seed));
  }

  /**
   * Returns true if the minute or the hour is a star or a step without an end, so that users expect
   * even spacing rather than certain times of day.
   */
  public boolean isInterval() {
    return fields.isInterval();
  }

  /**
   * Returns true if the expression names this time on the wall clock; fractions of a second are
   * ignored.
   */
  public boolean matches(LocalDateTime time) {
    long second = time.toEpochSecond(ZoneOffset.UTC);
    return rule.nextAtOrAfter(second) == second;
  }

  /** Returns the times that the expression names, with Monday to Friday as working days. */
  public LocalRule rule() {
    return rule;
  }

  /** Returns the times that the expression names, with these working days. */
  public LocalRule rule(WorkingDays working) {
    return new LocalCron(fields, working);
  }

  /** Returns a description in English. */
  public String describe() {
    return new CronEnglish(fields).describe();
  }

  /** Returns the text as it was written. */
  @Override
  public String toString() {
    return text;
  }
}
