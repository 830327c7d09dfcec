package io.kairos.domain.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import java.util.List;

/**
 * On which terms a rule holds, whatever times it names.
 *
 * @param clock its zone, and what happens when the clock changes
 * @param calendars at most {@value #MOST_CALENDARS}, at most one of them for the working days
 */
public record Terms(WallClock clock, List<CalendarUse> calendars, Bounds bounds, Spread spread) {
  public static final int MOST_CALENDARS = 16;

  public static final Terms UTC = in(WallClock.UTC);

  /** Throws {@link IllegalArgumentException} for calendars that do not go together. */
  public Terms {
    requireNonNull(clock, "clock");
    requireNonNull(bounds, "bounds");
    requireNonNull(spread, "spread");
    calendars = List.copyOf(calendars);
    if (calendars.size() > MOST_CALENDARS) {
      throw new IllegalArgumentException("a rule names at most " + MOST_CALENDARS + " calendars");
    }
    if (calendars.stream().filter(Terms::isForWorkingDays).count() > 1) {
      throw new IllegalArgumentException("a rule has one calendar for its working days");
    }
  }

  private static boolean isForWorkingDays(CalendarUse use) {
    return use.kind() == CalendarUse.Kind.WORKING_DAYS;
  }

  /** No calendars, no bounds, no spread. */
  public static Terms in(WallClock clock) {
    return new Terms(clock, List.of(), Bounds.NONE, Spread.NONE);
  }

  /** The calendars that must be found before the rule can be resolved, each once. */
  public List<CalendarName> calendarNames() {
    return calendars.stream().map(CalendarUse::calendar).distinct().sorted().toList();
  }

  /** These terms in words that follow a description; begins with a comma. */
  String describe() {
    StringBuilder words = new StringBuilder(", ").append(clock.describe());
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
