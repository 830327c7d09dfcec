package io.kairos.model.calendar;

import io.kairos.domain.schedule.ClockGap;
import io.kairos.domain.schedule.ClockOverlap;
import io.kairos.domain.schedule.FireTimes;
import io.kairos.domain.schedule.Occurrence;
import io.kairos.domain.schedule.RuleTerms;
import io.kairos.domain.schedule.ScheduleClock;
import io.kairos.domain.schedule.SkipReason;
import io.kairos.domain.schedule.TimePattern;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.cron.CronExpression;
import io.kairos.domain.schedule.cron.CronSyntax;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks time rules against the oracle. Every method returns a description of the first error, or
 * nothing. Pure, so that many threads may share the work.
 */
public final class CalendarCheck {
  public static final Instant BEGIN = Instant.parse("1970-01-01T00:00:00Z");
  public static final Instant END = Instant.parse("2051-01-01T00:00:00Z");

  private static final int HOURS_AROUND = 27;

  private CalendarCheck() {}

  /** Every zone of the IANA database that this Java knows, without that of the simulator. */
  public static List<ZoneId> zones() {
    return ZoneId.getAvailableZoneIds().stream()
        .filter(zone -> !zone.startsWith("Simulation/"))
        .sorted()
        .map(ZoneId::of)
        .toList();
  }

  /** Every change of a zone's offset from 1970 to 2050. */
  public static List<Instant> changes(ZoneId zone) {
    List<Instant> changes = new ArrayList<>();
    ZoneOffsetTransition change = zone.getRules().nextTransition(BEGIN);
    while (change != null && change.getInstant().isBefore(END)) {
      changes.add(change.getInstant());
      change = zone.getRules().nextTransition(change.getInstant());
    }
    return changes;
  }

  /** The minutes from a day and some hours before a change to as long after it. */
  public static final class Around {
    private final ZoneId zone;
    private final Instant from;
    private final Instant to;
    private final MinuteStepper stepper;

    public Around(ZoneId zone, Instant change) {
      this.zone = zone;
      this.from = change.truncatedTo(ChronoUnit.HOURS).minus(HOURS_AROUND, ChronoUnit.HOURS);
      this.to = from.plus(2L * HOURS_AROUND, ChronoUnit.HOURS);
      this.stepper = new MinuteStepper(zone, from, to);
    }

    /**
     * Checks an expression around the change under one pair of policies; empty when it is right.
     */
    public Optional<String> check(CronCase cron, ClockGap gap, ClockOverlap overlap) {
      List<ExpectedOccurrence> expected =
          stepper.tell(
              cron.literal(), gap == ClockGap.RUN_ONCE_AFTER, overlap == ClockOverlap.BOTH);
      FireTimes times = fireTimes(cron.expression(), new ScheduleClock(zone, gap, overlap));
      String where = cron + " in " + zone + ", " + gap + ", " + overlap + ": ";
      return difference(where, expected, occurrences(times, from, to))
          .or(() ->
              difference(
                  where + "next: ",
                  expected.stream()
                      .filter(told -> told.what() == ExpectedOccurrence.What.FIRES)
                      .map(ExpectedOccurrence::at)
                      .toList(),
                  times.between(from.minusSeconds(1), to.minusSeconds(1), Integer.MAX_VALUE)));
    }

    /** Checks an expression under every pair of policies. */
    public Optional<String> check(CronCase cron) {
      for (ClockGap gap : ClockGap.values()) {
        for (ClockOverlap overlap : ClockOverlap.values()) {
          Optional<String> wrong = check(cron, gap, overlap);
          if (wrong.isPresent()) {
            return wrong;
          }
        }
      }
      return Optional.empty();
    }
  }

  private static FireTimes fireTimes(CronExpression expression, ScheduleClock clock) {
    return new TimeRule(new TimePattern.Cron(expression), RuleTerms.in(clock)).fireTimes(Map.of());
  }

  private static List<ExpectedOccurrence> occurrences(FireTimes times, Instant from, Instant to) {
    List<ExpectedOccurrence> told = new ArrayList<>();
    Iterator<Occurrence> all = times.occurrences(from.minusSeconds(1));
    while (all.hasNext()) {
      Occurrence next = all.next();
      if (!next.at().isBefore(to)) {
        break;
      }
      told.add(new ExpectedOccurrence(next.at(), next.local(), what(next)));
    }
    return told;
  }

  private static ExpectedOccurrence.What what(Occurrence occurrence) {
    return switch (occurrence) {
      case Occurrence.Fire _ -> ExpectedOccurrence.What.FIRES;
      case Occurrence.Skipped(_, _, SkipReason.ClockPutForward()) -> ExpectedOccurrence.What.IN_GAP;
      case Occurrence.Skipped(_, _, SkipReason.ClockPutBack()) -> ExpectedOccurrence.What.REPEATED;
      case Occurrence.Skipped(_, _, SkipReason.Excluded(var calendar)) ->
          throw new IllegalStateException("there is no calendar " + calendar);
    };
  }

  private static <T> Optional<String> difference(String where, List<T> expected, List<T> found) {
    for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
      String wanted = i < expected.size() ? expected.get(i).toString() : "nothing";
      String got = i < found.size() ? found.get(i).toString() : "nothing";
      if (!wanted.equals(got)) {
        return Optional.of(where + "expected " + wanted + ", got " + got);
      }
    }
    return Optional.empty();
  }

  /** Checks that a daily rule fires exactly once on every day that exists from 1970 to 2050. */
  public static Optional<String> daily(ZoneId zone, List<LocalDate> days, int hour, int minute) {
    String text = minute + " " + hour + " * * *";
    FireTimes times =
        fireTimes(CronExpression.parse(text, CronSyntax.UNIX, ""), ScheduleClock.in(zone));
    LocalDate first = days.get(1);
    LocalDate last = days.get(days.size() - 2);
    List<LocalDate> fired =
        occurrences(times, BEGIN, END).stream()
            .filter(told -> told.what() == ExpectedOccurrence.What.FIRES)
            .map(told -> told.local().toLocalDate())
            .filter(day -> !day.isBefore(first) && !day.isAfter(last))
            .toList();
    return difference(text + " in " + zone + ": ", days.subList(1, days.size() - 1), fired);
  }

  /** Checks that an expression names the same dates of some years as the oracle. */
  public static Optional<String> dates(CronCase cron, LocalDate from, int days) {
    LocalTime time = cron.literal().firstTime();
    for (int i = 0; i < days; i++) {
      LocalDate date = from.plusDays(i);
      if (cron.expression().matches(date.atTime(time)) != cron.literal().namesDate(date)) {
        return Optional.of(cron + " on " + date + " at " + time);
      }
    }
    return Optional.empty();
  }

  /** The days of a zone's wall clock, once for all rules. */
  public static List<LocalDate> days(ZoneId zone) {
    return MinuteStepper.daysOf(zone, BEGIN, END);
  }
}
