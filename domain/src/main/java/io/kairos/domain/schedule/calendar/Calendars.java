package io.kairos.domain.schedule.calendar;

import io.kairos.domain.schedule.local.LocalRule;
import io.kairos.domain.schedule.local.WorkingDays;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The calendars of one rule, found by their names and made ready to be asked. Immutable. */
public final class Calendars {
  public static final Calendars NONE = new Calendars(List.of(), WorkingDays.MONDAY_TO_FRIDAY);

  /**
   * So many times a search goes on to where a calendar may open: twice a day for 13 years. What is
   * closed for longer is taken as closed for ever.
   */
  private static final int MOST_LOOKS = 10_000;

  private final List<Gate> gates;
  private final WorkingDays workingDays;

  private Calendars(List<Gate> gates, WorkingDays workingDays) {
    this.gates = List.copyOf(gates);
    this.workingDays = workingDays;
  }

  /** A calendar that must be open, or must not. */
  private record Gate(CalendarName name, OpenHours hours, boolean open) {
    boolean passes(long localSecond) {
      return hours.isOpenAt(localSecond) == open;
    }
  }

  /** Throws {@link UnknownCalendarException} for a name that is not among {@code known}. */
  public static Calendars of(List<CalendarUse> uses, Map<CalendarName, BusinessCalendar> known) {
    if (uses.isEmpty()) {
      return NONE;
    }
    List<Gate> gates = new ArrayList<>();
    WorkingDays workingDays = WorkingDays.MONDAY_TO_FRIDAY;
    for (CalendarUse use : uses) {
      BusinessCalendar calendar = known.get(use.calendar());
      if (calendar == null) {
        throw new UnknownCalendarException(use.calendar());
      }
      OpenHours hours = new OpenHours(calendar);
      switch (use.kind()) {
        case ONLY_DURING -> gates.add(new Gate(use.calendar(), hours, true));
        case NOT_DURING -> gates.add(new Gate(use.calendar(), hours, false));
        case WORKING_DAYS -> workingDays = hours::isOpenOn;
      }
    }
    return new Calendars(gates, workingDays);
  }

  /** Whether they let every time pass. */
  public boolean letAllPass() {
    return gates.isEmpty();
  }

  public WorkingDays workingDays() {
    return workingDays;
  }

  public boolean pass(long localSecond) {
    return refusing(localSecond).isEmpty();
  }

  /** The first of them that does not let a time pass. */
  public Optional<CalendarName> refusing(long localSecond) {
    for (Gate gate : gates) {
      if (!gate.passes(localSecond)) {
        return Optional.of(gate.name());
      }
    }
    return Optional.empty();
  }

  /** The next second at which the answer may be another; an answer holds until then. */
  public long mayChangeAfter(long localSecond) {
    long change = Long.MAX_VALUE;
    for (Gate gate : gates) {
      change = Math.min(change, gate.hours().mayChangeAfter(localSecond));
    }
    return change;
  }

  /** Of a rule's times those that they let pass, or those that they do not. */
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

  /** How many looks a search may take that finds nothing. */
  public static int mostLooks() {
    return MOST_LOOKS;
  }
}
