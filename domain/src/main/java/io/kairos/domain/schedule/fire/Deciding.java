package io.kairos.domain.schedule.fire;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of the fire times of an active schedule that have passed. A pure function, and
 * bounded: after an outage of any length it looks at some thousands of fire times at most, fires no
 * more than a transaction can hold, and writes a range for the rest (A6 C5). Fire times are decided
 * in their order, so that none is decided twice (C1), and every one that has passed is decided
 * (C2).
 */
public final class Deciding {
  /** Older fire times count as missed: somebody was away. */
  public static final Duration GRACE = Duration.ofSeconds(10);

  /** So many fire times are fired in one look; the rest is for the next, which follows at once. */
  public static final int MOST_AT_ONCE = 1_000;

  /** So many bytes of payload are fired in one look: they are in memory and in one transaction. */
  private static final int MOST_BYTES_AT_ONCE = 16 << 20;

  private static final Duration SHORTEST_LOOK = Duration.ofMillis(100);
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private Deciding() {}

  /** Whether there is something to decide or not: also says when to look again. */
  public static Verdict decide(Situation situation) {
    Schedule schedule = situation.schedule();
    if (schedule.progress().status() != Status.ACTIVE) {
      return Verdict.of(schedule.with(schedule.progress().lookedAt(null)));
    }
    LastRun last = situation.lastRun();
    if (schedule.definition().policies().pauseOnFailure() && last != null && last.hasFailed()) {
      String note = "paused: execution " + schedule.progress().lastRun() + " failed";
      return Verdict.of(
          schedule.with(schedule.progress().still(Status.PAUSED, note, situation.now())));
    }
    return schedule.definition().rule().kind() == Rule.Kind.DELAY
        ? afterRuns(situation)
        : byTimetable(situation);
  }

  private static Verdict byTimetable(Situation situation) {
    Schedule schedule = situation.schedule();
    Instant from = schedule.progress().decidedTo();
    Instant now = situation.now();
    DueTimes times = situation.fireTimes();
    Round round = new Round(situation);
    Instant decidedTo = from;
    if (from.isBefore(now)) {
      Instant missedTo = later(from, now.minus(GRACE));
      decidedTo = makeUp(round, times, situation, missedTo);
      if (!decidedTo.isBefore(missedTo)) {
        decidedTo = fire(round, times, situation, missedTo);
      }
      round.note(times.leftOut(from, decidedTo, MOST_AT_ONCE));
    }
    return round.end(round.progress().at(decidedTo, times.next(decidedTo).orElse(null)));
  }

  static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  /** How many runs of a definition are made at once: fewer when their payload is large. */
  static int mostAtOnce(Definition definition) {
    int bytes = Math.max(1, definition.target().bytes());
    return Math.clamp(MOST_BYTES_AT_ONCE / bytes, 1, MOST_AT_ONCE);
  }

  /** What passed while somebody could have fired. Returns how far it came. */
  private static Instant fire(Round round, DueTimes times, Situation situation, Instant after) {
    Instant now = situation.now();
    int most = onlyLast(situation) ? MOST_AT_ONCE : mostAtOnce(situation.schedule().definition());
    List<Instant> due = times.earliest(after, now, most);
    if (onlyLast(situation) && due.size() > 1) {
      round.skip(due.getFirst(), due.get(due.size() - 2), Reason.SUPERSEDED);
      round.offer(due.getLast());
    } else {
      due.forEach(round::offer);
    }
    return due.size() < most ? now : due.getLast();
  }

  /**
   * What was missed: fire times up to and with {@code missedTo}. Returns how far it came, which is
   * there unless what is to be made up for is too much for one look.
   */
  private static Instant makeUp(
      Round round, DueTimes times, Situation situation, Instant missedTo) {
    Instant from = situation.schedule().progress().decidedTo();
    Optional<Instant> first = times.next(from).filter(time -> !time.isAfter(missedTo));
    if (first.isEmpty()) {
      return missedTo;
    }
    CatchUp catchUp = situation.schedule().definition().policies().catchUp();
    Instant window = earlier(missedTo, later(from, situation.now().minus(catchUp.window())));
    Instant last = times.last(from, missedTo).orElseThrow();
    CatchUp.Mode mode = catchUp.mode();
    if (mode == CatchUp.Mode.ALL && onlyLast(situation)) {
      mode = CatchUp.Mode.LATEST;
    }
    switch (mode) {
      case NONE -> round.skip(first.get(), last, Reason.CATCH_UP_NONE);
      case LATEST -> {
        if (times.next(missedTo).filter(time -> !time.isAfter(situation.now())).isPresent()) {
          round.skip(first.get(), last, Reason.SUPERSEDED);
        } else if (!last.isAfter(window)) {
          round.skip(first.get(), last, Reason.OUTSIDE_WINDOW);
        } else {
          skipBetween(round, times, from, last.minusNanos(1_000), Reason.SUPERSEDED);
          round.offer(last);
        }
      }
      case ALL -> {
        skipBetween(round, times, from, window, Reason.OUTSIDE_WINDOW);
        List<Instant> made = times.latest(window, missedTo, catchUp.max());
        if (!made.isEmpty()) {
          skipBetween(round, times, window, made.getFirst().minusNanos(1_000), Reason.CAP);
        }
        int most = mostAtOnce(situation.schedule().definition());
        if (made.size() > most) {
          made.subList(0, most).forEach(round::offer);
          return made.get(most - 1);
        }
        made.forEach(round::offer);
      }
    }
    return missedTo;
  }

  /** Runs that cancel each other are not made only to be cancelled. */
  private static boolean onlyLast(Situation situation) {
    return situation.schedule().definition().policies().overlap() == OverlapPolicy.CANCEL_OTHER;
  }

  /** Skips all fire times in ({@code after}, {@code to}], if there are any, as one range. */
  static void skipBetween(Round round, DueTimes times, Instant after, Instant to, Reason reason) {
    Optional<Instant> first = times.next(after).filter(time -> !time.isAfter(to));
    if (first.isPresent()) {
      round.skip(first.get(), times.last(after, to).orElseThrow(), reason);
    }
  }

  /**
   * Fixed delay: the next fire time follows the end of the last run, so there is never more than
   * one to make up for, and that is made up for.
   */
  private static Verdict afterRuns(Situation situation) {
    Schedule schedule = situation.schedule();
    Progress progress = schedule.progress();
    Instant now = situation.now();
    Duration delay = delay(schedule.definition().rule());
    Round round = new Round(situation);
    if (situation.unfinished() > 0) {
      // Whenever its own run ends, that is after this look, so the next fire time is not before the
      // next. One that somebody asked for delays it by no more than a moment.
      boolean itsOwn = progress.lastRun() != null && situation.lastRun() == null;
      return round.end(progress.lookedAt(now.plus(look(itsOwn ? delay : shorter(delay, MOMENT)))));
    }
    Optional<Instant> planned = planned(situation, delay);
    if (planned.isEmpty() || planned.get().isAfter(now)) {
      return round.end(progress.lookedAt(planned.orElse(null)));
    }
    round.offer(planned.get());
    return round.end(round.progress().at(later(progress.decidedTo(), now), now.plus(look(delay))));
  }

  /** When a fixed delay fires next; always after what has been decided. */
  private static Optional<Instant> planned(Situation situation, Duration delay) {
    Instant decidedTo = situation.schedule().progress().decidedTo();
    LastRun last = situation.lastRun();
    Instant from = last == null ? decidedTo : last.endedAt().plus(delay).minusNanos(1_000);
    return situation.fireTimes().next(later(decidedTo, from));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration look(Duration delay) {
    return delay.compareTo(SHORTEST_LOOK) > 0 ? delay : SHORTEST_LOOK;
  }

  /** Of a rule of that kind, which was checked when it was stored. */
  static Duration delay(Rule rule) {
    return Duration.parse(rule.text());
  }
}
