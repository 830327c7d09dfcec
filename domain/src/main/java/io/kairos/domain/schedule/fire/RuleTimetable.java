package io.kairos.domain.schedule.fire;

import io.kairos.domain.schedule.FireTimes;
import io.kairos.domain.schedule.Occurrence;
import io.kairos.domain.schedule.SkipReason;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The timetable of a rule with the calendars that it names. */
public final class RuleTimetable implements Timetable {
  /** The most times that are looked at; after these only the end of the last row is found. */
  private static final int MOST_LOOKED_AT = 5_000;

  private final boolean isPlanned;
  private final FireTimes fireTimes;

  /**
   * @throws io.kairos.domain.schedule.calendar.UnknownCalendarException for one that is missing
   */
  public RuleTimetable(TimeRule rule, Map<CalendarName, WorkingCalendar> calendars) {
    this.isPlanned = rule.isPlanned();
    this.fireTimes = rule.fireTimes(calendars);
  }

  @Override
  public Optional<Instant> next(Instant after) {
    return fireTimes.next(after);
  }

  @Override
  public List<LeftOut> leftOut(Instant after, Instant to, int limit) {
    List<LeftOut> leftOut = new ArrayList<>();
    if (!isPlanned) {
      return leftOut;
    }
    Iterator<Occurrence> times = fireTimes.occurrences(after, to);
    boolean inRow = false;
    for (int i = 0; i < MOST_LOOKED_AT && leftOut.size() < limit && times.hasNext(); i++) {
      Occurrence time = times.next();
      if (time.at().isAfter(to)) {
        return leftOut;
      }
      if (time instanceof Occurrence.Skipped(Instant at, var _, SkipReason why)) {
        SkipCause reason = reason(why);
        LeftOut last = inRow ? leftOut.getLast() : null;
        if (last != null && last.reason() == reason) {
          leftOut.set(leftOut.size() - 1, new LeftOut(last.at(), at, reason));
        } else {
          leftOut.add(new LeftOut(at, at, reason));
        }
        inRow = true;
      } else {
        if (inRow) {
          endBefore(time.at(), leftOut);
        }
        inRow = false;
      }
    }
    if (inRow && times.hasNext() && leftOut.getLast().reason() == SkipCause.CALENDAR) {
      LeftOut last = leftOut.removeLast();
      Optional<Instant> fire = next(last.until()).filter(time -> !time.isAfter(to));
      leftOut.add(
          new LeftOut(
              last.at(), fire.map(time -> time.minusNanos(1_000)).orElse(to), last.reason()));
    }
    return leftOut;
  }

  /**
   * Ends rows before a fire time. A time in a gap of the clock shares its instant with a fire time,
   * and so may times that a calendar leaves out, in a row before it.
   */
  private static void endBefore(Instant fire, List<LeftOut> rows) {
    for (int i = rows.size() - 1; i >= 0 && rows.get(i).until().equals(fire); i--) {
      LeftOut row = rows.get(i);
      if (row.at().isBefore(fire)) {
        rows.set(i, new LeftOut(row.at(), fire.minusNanos(1_000), row.reason()));
      }
    }
  }

  private static SkipCause reason(SkipReason why) {
    return switch (why) {
      case SkipReason.ClockPutForward _ -> SkipCause.DST_GAP;
      case SkipReason.ClockPutBack _ -> SkipCause.DST_OVERLAP;
      case SkipReason.Excluded _ -> SkipCause.CALENDAR;
    };
  }
}
