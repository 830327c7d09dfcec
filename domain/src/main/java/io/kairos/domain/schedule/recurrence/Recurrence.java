package io.kairos.domain.schedule.recurrence;

import io.kairos.domain.schedule.local.LocalRule;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * A recurrence rule of RFC 5545 with its start. It goes by the wall clock. COUNT is turned into the
 * time of the last occurrence when the rule is read, so that no state is needed; the start counts
 * only if the rule names it. BYYEARDAY, BYWEEKNO and extensions are refused by name.
 */
public final class Recurrence {
  private final String text;
  private final RecurrenceParts parts;
  private final LocalRule rule;

  private Recurrence(String text, RecurrenceParts parts) {
    this.text = text;
    this.parts = parts;
    this.rule = ruleOf(parts);
  }

  private static LocalRule ruleOf(RecurrenceParts parts) {
    return parts.frequency().isWithinDay() ? new TimeRecurrence(parts) : new DayRecurrence(parts);
  }

  /**
   * Reads a rule such as {@code FREQ=MONTHLY;BYDAY=-1FR}, with {@code RRULE:} before it or without.
   *
   * @param start DTSTART, from which parts are taken that the rule leaves open
   * @param zone the zone of the schedule, for an UNTIL in UTC
   * @throws RefusedExpressionException that points at the place, also when nothing ever recurs
   */
  public static Recurrence parse(String text, LocalDateTime start, ZoneId zone) {
    RecurrenceReader reader = new RecurrenceReader(text, start, zone);
    RecurrenceParts parts = reader.read();
    int count = reader.count();
    LocalRule rule = ruleOf(parts);
    long last = rule.nextAtOrAfter(parts.start());
    if (last == LocalRule.NEVER) {
      throw new RefusedExpressionException(
          text, "recurrence", text, "a rule that names a time after its start", 0);
    }
    for (int i = 1; i < count; i++) {
      long next = rule.nextAtOrAfter(last + 1);
      last = next == LocalRule.NEVER ? last : next;
    }
    return new Recurrence(text, count > 0 ? parts.until(last) : parts);
  }

  /** Returns the local times that the rule names. */
  public LocalRule rule() {
    return rule;
  }

  /**
   * Returns true if the rule is hourly or shorter, so that even spacing matters more than the time
   * of day.
   */
  public boolean isInterval() {
    return parts.frequency().isWithinDay();
  }

  /** Returns a description in English. */
  public String describe() {
    return new RecurrenceEnglish(parts).describe();
  }

  /** Returns the text as it was written. */
  @Override
  public String toString() {
    return text;
  }
}
