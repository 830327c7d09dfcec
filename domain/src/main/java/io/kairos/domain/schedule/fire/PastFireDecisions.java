package io.kairos.domain.schedule.fire;

import io.kairos.domain.schedule.definition.CatchUpPolicy;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.schedule.definition.ScheduleRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides on the fire times of an active schedule that have passed. A pure function, and bounded:
 * after an outage of any length it looks at some thousands of fire times at most, fires no more
 * than a transaction can hold, and writes a range for the rest. Fire times are decided in their
 * order, so that every one that has passed is decided, and none twice.
 */
public final class PastFireDecisions {
  /** The age from which fire times count as missed. */
  public static final Duration GRACE = Duration.ofSeconds(10);

  /**
   * The most fire times that are fired in one round; the rest is for the next round, which follows
   * at once.
   */
  public static final int MOST_AT_ONCE = 1_000;

  /**
   * The most bytes of payload that are fired in one round: they are in memory and in one
   * transaction.
   */
  private static final int MOST_BYTES_AT_ONCE = 16 << 20;

  private static final Duration SHORTEST_LOOK = Duration.ofMillis(100);
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private PastFireDecisions() {}

  /**
   * Decides on a schedule, and says when to decide again, also if there is nothing to decide now.
   */
  public static ScheduleDecision decide(DecisionInput situation) {
    Schedule schedule = situation.schedule();
    if (schedule.progress().status() != FiringStatus.ACTIVE) {
      return ScheduleDecision.of(schedule.with(schedule.progress().lookedAt(null)));
    }
    LastRun last = situation.lastRun();
    if (schedule.definition().policies().pauseOnFailure() && last != null && last.hasFailed()) {
      String note = "paused: execution " + schedule.progress().lastRun() + " failed";
      return ScheduleDecision.of(
          schedule.with(schedule.progress().still(FiringStatus.PAUSED, note, situation.now())));
    }
    return schedule.definition().rule().kind() == ScheduleRule.Kind.DELAY
        ? afterRuns(situation)
        : byTimetable(situation);
  }

  private static ScheduleDecision byTimetable(DecisionInput situation) {
    Schedule schedule = situation.schedule();
    Instant from = schedule.progress().decidedTo();
    Instant now = situation.now();
    Timetable times = situation.timetable();
    DecisionRound round = new DecisionRound(situation);
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

  /**
   * Returns how many runs of a definition are made at once: fewer when their payload is large, and
   * when they have many tasks.
   */
  static int mostAtOnce(ScheduleDefinition definition) {
    int bytes = Math.max(1, definition.bytes());
    return Math.clamp(MOST_BYTES_AT_ONCE / bytes, 1, MOST_AT_ONCE / definition.tasks());
  }

  /**
   * Fires at fire times that were not missed.
   *
   * @return the time up to which fire times were decided
   */
  private static Instant fire(
      DecisionRound round, Timetable times, DecisionInput situation, Instant after) {
    Instant now = situation.now();
    int most = onlyLast(situation) ? MOST_AT_ONCE : mostAtOnce(situation.schedule().definition());
    List<Instant> due = times.earliest(after, now, most);
    if (onlyLast(situation) && due.size() > 1) {
      round.skip(due.getFirst(), due.get(due.size() - 2), SkipCause.SUPERSEDED);
      round.offer(due.getLast());
    } else {
      due.forEach(round::offer);
    }
    return due.size() < most ? now : due.getLast();
  }

  /**
   * Makes up for missed fire times up to and with {@code missedTo}.
   *
   * @return the time up to which fire times were decided: {@code missedTo}, or earlier when there
   *     are too many for one round
   */
  private static Instant makeUp(
      DecisionRound round, Timetable times, DecisionInput situation, Instant missedTo) {
    Instant from = situation.schedule().progress().decidedTo();
    Optional<Instant> first = times.next(from).filter(time -> !time.isAfter(missedTo));
    if (first.isEmpty()) {
      return missedTo;
    }
    CatchUpPolicy catchUp = situation.schedule().definition().policies().catchUp();
    Instant window = earlier(missedTo, later(from, situation.now().minus(catchUp.window())));
    Instant last = times.last(from, missedTo).orElseThrow();
    CatchUpPolicy.Mode mode = catchUp.mode();
    if (mode == CatchUpPolicy.Mode.ALL && onlyLast(situation)) {
      mode = CatchUpPolicy.Mode.LATEST;
    }
    switch (mode) {
      case NONE -> round.skip(first.get(), last, SkipCause.CATCH_UP_NONE);
      case LATEST -> {
        if (times.next(missedTo).filter(time -> !time.isAfter(situation.now())).isPresent()) {
          round.skip(first.get(), last, SkipCause.SUPERSEDED);
        } else if (!last.isAfter(window)) {
          round.skip(first.get(), last, SkipCause.OUTSIDE_WINDOW);
        } else {
          skipBetween(round, times, from, last.minusNanos(1_000), SkipCause.SUPERSEDED);
          round.offer(last);
        }
      }
      case ALL -> {
        skipBetween(round, times, from, window, SkipCause.OUTSIDE_WINDOW);
        List<Instant> made = times.latest(window, missedTo, catchUp.max());
        if (!made.isEmpty()) {
          skipBetween(round, times, window, made.getFirst().minusNanos(1_000), SkipCause.CAP);
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

  /**
   * Returns true if only the last of several runs is made, because each would cancel the one
   * before.
   */
  private static boolean onlyLast(DecisionInput situation) {
    return situation.schedule().definition().policies().overlap() == OverlapPolicy.CANCEL_OTHER;
  }

  /** Skips all fire times in ({@code after}, {@code to}], if there are any, as one range. */
  static void skipBetween(
      DecisionRound round, Timetable times, Instant after, Instant to, SkipCause reason) {
    Optional<Instant> first = times.next(after).filter(time -> !time.isAfter(to));
    if (first.isPresent()) {
      round.skip(first.get(), times.last(after, to).orElseThrow(), reason);
    }
  }

  /**
   * Decides on a fixed delay. Its next fire time follows the end of the last run, so there is never
   * more than one to make up for, which is made up for.
   */
  private static ScheduleDecision afterRuns(DecisionInput situation) {
    Schedule schedule = situation.schedule();
    ScheduleProgress progress = schedule.progress();
    Instant now = situation.now();
    Duration delay = delay(schedule.definition().rule());
    DecisionRound round = new DecisionRound(situation);
    if (situation.unfinished() > 0) {
      // Its own run ends after this round, so the next fire time is not before the next round. A
      // run of a trigger or backfill delays it by no more than a moment.
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

  /** Returns when a fixed delay fires next; always after the decided fire times. */
  private static Optional<Instant> planned(DecisionInput situation, Duration delay) {
    Instant decidedTo = situation.schedule().progress().decidedTo();
    LastRun last = situation.lastRun();
    Instant from = last == null ? decidedTo : last.endedAt().plus(delay).minusNanos(1_000);
    return situation.timetable().next(later(decidedTo, from));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration look(Duration delay) {
    return delay.compareTo(SHORTEST_LOOK) > 0 ? delay : SHORTEST_LOOK;
  }

  /** Reads the delay of a rule of that kind, which was checked when it was stored. */
  static Duration delay(ScheduleRule rule) {
    return Duration.parse(rule.text());
  }
}
