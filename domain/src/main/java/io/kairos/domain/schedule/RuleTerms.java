package io.kairos.domain.schedule;

import static io.kairos.domain.check.ArgumentCheck.require;
import static io.kairos.domain.schedule.calendar.CalendarUse.Kind.WORKING_DAYS;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import java.util.List;

/**
 * The terms of a rule beside its pattern: clock, calendars, bounds and spread.
 *
 * @param clock its zone, and what happens when the clock changes
 * @param calendars at most {@value #MOST_CALENDARS}, at most one of them for the working days
 */
public record RuleTerms(
    ScheduleClock clock, List<CalendarUse> calendars, RuleBounds bounds, RunSpread spread) {
  public static final int MOST_CALENDARS = 16;

  public static final RuleTerms UTC = in(ScheduleClock.UTC);

  /** Throws {@link IllegalArgumentException} for calendars that do not go together. */
  public RuleTerms {
    requireNonNull(clock, "clock");
    requireNonNull(bounds, "bounds");
    requireNonNull(spread, "spread");
    calendars = List.copyOf(calendars);
    require(
        calendars.size() <= MOST_CALENDARS,
        "a rule names at most " + MOST_CALENDARS + " calendars");
    require(
        calendars.stream().filter(use -> use.kind() == WORKING_DAYS).count() <= 1,
        "a rule has one calendar for its working days");
  }

  /** Returns terms without calendars, bounds and spread. */
  public static RuleTerms in(ScheduleClock clock) {
    return new RuleTerms(clock, List.of(), RuleBounds.NONE, RunSpread.NONE);
  }

  /** Returns the names of the calendars that the rule needs, each once. */
  public List<CalendarName> calendarNames() {
    return calendars.stream().map(CalendarUse::calendar).distinct().sorted().toList();
  }

  /** Returns these terms in words that follow a description; begins with a comma. */
  String describe() {
    StringBuilder words = new StringBuilder(", ").append(clock.zone());
    for (CalendarUse use : calendars) {
      words
          .append(
              switch (use.kind()) {
                case ONLY_DURING -> ", only during ";
                case NOT_DURING -> ", but not during ";
                case WORKING_DAYS -> ", working days by ";
              })
          .append(use.calendar());
    }
    if (bounds.start() != null) {
      words.append(", from ").append(bounds.start());
    }
    if (bounds.end() != null) {
      words.append(", until before ").append(bounds.end());
    }
    if (bounds.maxRuns() != null) {
      words.append(", at most ").append(bounds.maxRuns()).append(" times");
    }
    if (!spread.window().isZero()) {
      words.append(", each up to ").append(spread.window()).append(" later");
    }
    return words.toString();
  }
}
