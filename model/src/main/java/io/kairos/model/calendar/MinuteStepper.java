package io.kairos.model.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The oracle. Steps through the local time of a zone minute by minute, detects its jumps, and says
 * what an expression does at each minute. Built for a range of some days and used for many
 * expressions.
 */
public final class MinuteStepper {
  private static final Duration LEAD = Duration.ofDays(2);
  private static final int MINUTE = 60;

  private final Instant from;
  private final int step;
  private final List<Look> looks = new ArrayList<>();
  private final Set<LocalDate> dates = new HashSet<>();

  /**
   * One look at the clock.
   *
   * @param leftOut times between the look before and this one that the clock did not show
   * @param again whether an earlier look saw the same time
   */
  private record Look(
      Instant at, LocalDateTime local, List<LocalDateTime> leftOut, boolean again) {}

  /** Looks at the clock from two days before {@code from} to {@code to}. */
  public MinuteStepper(ZoneId zone, Instant from, Instant to) {
    this.from = from;
    Instant begin = from.minus(LEAD);
    this.step = stepOf(zone, begin, to);
    Set<LocalDateTime> seen = new HashSet<>();
    LocalDateTime before = null;
    for (Instant at = begin; at.isBefore(to); at = at.plusSeconds(step)) {
      LocalDateTime local = LocalDateTime.ofInstant(at, zone);
      List<LocalDateTime> leftOut = new ArrayList<>();
      if (before != null) {
        for (LocalDateTime missing = before.plusSeconds(step);
            missing.isBefore(local);
            missing = missing.plusSeconds(step)) {
          leftOut.add(missing);
        }
      }
      looks.add(new Look(at, local, leftOut, !seen.add(local)));
      dates.add(local.toLocalDate());
      before = local;
    }
  }

  /** Offsets of odd seconds need shorter steps, or whole minutes would be passed over. */
  private static int stepOf(ZoneId zone, Instant begin, Instant end) {
    int step = MINUTE;
    for (Instant at = begin; at.isBefore(end); at = at.plus(Duration.ofMinutes(10))) {
      step = divisor(step, Math.abs(zone.getRules().getOffset(at).getTotalSeconds()));
    }
    return step;
  }

  private static int divisor(int a, int b) {
    return b == 0 ? a : divisor(b, a % b);
  }

  /** Everything that an expression does in the stretch. */
  public List<ExpectedOccurrence> tell(LiteralCron cron, boolean makeUp, boolean both) {
    Map<LocalDate, Boolean> named = new HashMap<>();
    List<ExpectedOccurrence> told = new ArrayList<>();
    for (Look look : looks) {
      if (look.at().isBefore(from)) {
        continue;
      }
      boolean madeUp = false;
      if (!look.leftOut().isEmpty()) {
        ExpectedOccurrence gap = gap(look, cron, named, makeUp);
        if (gap != null) {
          told.add(gap);
          madeUp = gap.what() == ExpectedOccurrence.What.FIRES;
        }
      }
      if (!madeUp && names(cron, look.local(), named)) {
        boolean repeated = look.again() && !both && !cron.isInterval();
        told.add(
            new ExpectedOccurrence(
                look.at(),
                look.local(),
                repeated ? ExpectedOccurrence.What.REPEATED : ExpectedOccurrence.What.FIRES));
      }
    }
    return told;
  }

  private static boolean names(
      LiteralCron cron, LocalDateTime time, Map<LocalDate, Boolean> named) {
    return time.getSecond() == 0
        && cron.namesTime(time.getHour(), time.getMinute())
        && named.computeIfAbsent(time.toLocalDate(), cron::namesDate);
  }

  private @Nullable ExpectedOccurrence gap(
      Look look, LiteralCron cron, Map<LocalDate, Boolean> named, boolean makeUp) {
    LocalDateTime lost = null;
    for (LocalDateTime time : look.leftOut()) {
      if (!names(cron, time, named)) {
        continue;
      }
      boolean dayExists = dates.contains(time.toLocalDate());
      if (dayExists
          && (!cron.isInterval() || nothingElseOn(time.toLocalDate(), look, cron, named))) {
        return new ExpectedOccurrence(
            look.at(),
            time,
            makeUp ? ExpectedOccurrence.What.FIRES : ExpectedOccurrence.What.IN_GAP);
      }
      if (!dayExists && !cron.isInterval() && lost == null) {
        lost = time;
      }
    }
    return lost == null
        ? null
        : new ExpectedOccurrence(look.at(), lost, ExpectedOccurrence.What.IN_GAP);
  }

  /** True when the clock skipped every time that the expression names on a day. */
  private static boolean nothingElseOn(
      LocalDate day, Look look, LiteralCron cron, Map<LocalDate, Boolean> named) {
    Set<LocalDateTime> leftOut = new HashSet<>(look.leftOut());
    LocalDateTime time = day.atStartOfDay();
    for (int i = 0; i < 24 * MINUTE; i++) {
      if (names(cron, time, named) && !leftOut.contains(time)) {
        return false;
      }
      time = time.plusMinutes(1);
    }
    return true;
  }

  /** The days that a zone's wall clock shows at least for a quarter of an hour, in order. */
  public static List<LocalDate> daysOf(ZoneId zone, Instant from, Instant to) {
    List<LocalDate> days = new ArrayList<>();
    long last = Long.MIN_VALUE;
    for (long at = from.getEpochSecond(); at < to.getEpochSecond(); at += 15L * MINUTE) {
      ZoneOffset offset = zone.getRules().getOffset(Instant.ofEpochSecond(at));
      long day = Math.floorDiv(at + offset.getTotalSeconds(), 24L * MINUTE * MINUTE);
      if (day > last) {
        days.add(LocalDate.ofEpochDay(day));
        last = day;
      }
    }
    return days;
  }
}
