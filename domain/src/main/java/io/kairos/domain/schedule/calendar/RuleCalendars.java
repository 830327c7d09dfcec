package io.kairos.domain.schedule.calendar;

import io.kairos.domain.schedule.local.LocalRule;
import io.kairos.domain.schedule.local.WorkingDays;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The calendars of one rule, found by their names and prepared for look-ups. Immutable. */
public final class RuleCalendars {
  public static final RuleCalendars NONE =
      new RuleCalendars(List.of(), WorkingDays.MONDAY_TO_FRIDAY);

  /**
   * How many times a search goes on to where a calendar may open: twice a day for 13 years. A
   * calendar that is closed for longer counts as closed for ever.
   */
  public static final int MOST_LOOKS = 10_000;

  private final List<CalendarCondition> gates;
  private final WorkingDays workingDays;

  private RuleCalendars(List<CalendarCondition> gates, WorkingDays workingDays) {
    this.gates = List.copyOf(gates);
    this.workingDays = workingDays;
  }

  /** A calendar that must be open, or must not. */
  private record CalendarCondition(CalendarName name, OpenHours hours, boolean open) {}

  /** Throws {@link UnknownCalendarException} for a name that is not among {@code known}. */
  public static RuleCalendars of(List<CalendarUse> uses, Map<CalendarName, WorkingCalendar> known) {
    if (uses.isEmpty()) {
      return NONE;
    }
    List<CalendarCondition> gates = new ArrayList<>();
    WorkingDays workingDays = WorkingDays.MONDAY_TO_FRIDAY;
    for (CalendarUse use : uses) {
      WorkingCalendar calendar = known.get(use.calendar());
      if (calendar == null) {
        throw new UnknownCalendarException(use.calendar());
      }
      OpenHours hours = new OpenHours(calendar);
      switch (use.kind()) {
        case ONLY_DURING -> gates.add(new CalendarCondition(use.calendar(), hours, true));
        case NOT_DURING -> gates.add(new CalendarCondition(use.calendar(), hours, false));
        case WORKING_DAYS -> workingDays = hours::isOpenOn;
      }
    }
    return new RuleCalendars(gates, workingDays);
  }

  /** Returns true if the calendars let every time pass. */
  public boolean letAllPass() {
    return gates.isEmpty();
  }

  public WorkingDays workingDays() {
    return workingDays;
  }

  public boolean pass(long localSecond) {
    return refusing(localSecond).isEmpty();
  }

  /** Returns the first calendar that does not let a time pass. */
  public Optional<CalendarName> refusing(long localSecond) {
    for (CalendarCondition gate : gates) {
      if (gate.hours().isOpenAt(localSecond) != gate.open()) {
        return Optional.of(gate.name());
      }
    }
    return Optional.empty();
  }

  /** Returns the next second at which the answer may change. */
  public long mayChangeAfter(long localSecond) {
    long change = Long.MAX_VALUE;
    for (CalendarCondition gate : gates) {
      change = Math.min(change, gate.hours().mayChangeAfter(localSecond));
    }
    return change;
  }

  /** Returns the times of a rule that the calendars let pass, or the others. */
  public LocalRule filter(LocalRule rule, boolean passing) {
    return from -> {
      long next = rule.nextAtOrAfter(from);
      for (int looks = 0; next != LocalRule.NEVER && looks < MOST_LOOKS; looks++) {
        if (pass(next) == passing) {
          return next;
        }
        next = rule.nextAtOrAfter(mayChangeAfter(next));
      }
      return LocalRule.NEVER;
    };
  }
}
