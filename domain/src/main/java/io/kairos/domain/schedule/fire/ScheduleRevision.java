package io.kairos.domain.schedule.fire;

import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.schedule.definition.ScheduleRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides on changes of a schedule. Fire times that are due by then are decided first, by the
 * former schedule; later ones by the changed schedule. So no fire time is decided twice, and none
 * is lost.
 */
public final class ScheduleRevision {
  private ScheduleRevision() {}

  /** Returns a new schedule; empty when it would never fire. */
  public static Optional<Schedule> begin(
      ScheduleId id,
      ScheduleName name,
      ScheduleDefinition definition,
      Timetable timetable,
      Instant now) {
    ScheduleProgress fresh = new ScheduleProgress(FiringStatus.ACTIVE, "", now, now, now, 0, null);
    Schedule schedule = new Schedule(id, name, definition, 1, now, now, fresh);
    Schedule looked =
        PastFireDecisions.decide(new DecisionInput(schedule, timetable, 0, null, now)).after();
    return Optional.of(looked).filter(one -> one.progress().status() == FiringStatus.ACTIVE);
  }

  /** Pauses a schedule until it is resumed; unfinished runs go on. */
  public static ScheduleDecision pause(DecisionInput situation, String note) {
    ScheduleDecision due = settle(situation);
    Schedule after = due.after();
    ScheduleProgress progress = after.progress();
    return switch (progress.status()) {
      case ACTIVE ->
          with(due, after.with(progress.still(FiringStatus.PAUSED, note, situation.now())));
      // A repeated pause has a new note; its beginning stays.
      case PAUSED ->
          with(due, after.with(progress.still(FiringStatus.PAUSED, note, progress.since())));
      case ENDED -> due;
    };
  }

  /** Resumes a schedule: fire times that passed during the pause are skipped. */
  public static ScheduleDecision resume(DecisionInput situation) {
    if (situation.schedule().progress().status() != FiringStatus.PAUSED) {
      return ScheduleDecision.of(situation.schedule());
    }
    ScheduleDecision settled = settle(situation);
    Schedule after = settled.after();
    if (after.definition().policies().pauseOnFailure()) {
      // or the failure that has paused it would pause it again
      after = after.with(after.progress().withoutLastRun());
    }
    return with(settled, started(after, situation.timetable(), situation.now()));
  }

  /**
   * Changes the definition from now on.
   *
   * @param timetable the timetable of the new definition
   */
  public static ScheduleDecision edit(
      DecisionInput situation, ScheduleDefinition definition, Timetable timetable) {
    Instant now = situation.now();
    ScheduleDecision settled = settle(situation);
    Schedule before = settled.after();
    ScheduleProgress progress = before.progress();
    Schedule edited = before.with(definition, now, progress);
    if (progress.status() == FiringStatus.ACTIVE && !situation.isReadable()) {
      // Fire times since the rule could last be read are decided by the new definition.
      return with(settled, edited.with(progress.lookedAt(now)));
    }
    return with(
        settled,
        progress.status() == FiringStatus.PAUSED ? edited : started(edited, timetable, now));
  }

  /** Returns the schedule active from now on; ended when it has no fire times. */
  private static Schedule started(Schedule schedule, Timetable timetable, Instant now) {
    ScheduleProgress progress = schedule.progress();
    Instant from = progress.decidedTo().isAfter(now) ? progress.decidedTo() : now;
    Schedule active = schedule.with(progress.active(now, from));
    // A fixed delay needs the end of its last run, which the next round reads. That round also puts
    // off and reports a schedule that cannot be read.
    return schedule.definition().rule().kind() == ScheduleRule.Kind.DELAY
            || timetable.equals(Timetable.UNKNOWN)
        ? active
        : PastFireDecisions.decide(new DecisionInput(active, timetable, 0, null, from)).after();
  }

  /** Ends a schedule: decides on the fire times until now. */
  public static ScheduleDecision end(DecisionInput situation) {
    return settle(situation);
  }

  /** Runs a schedule now, also when it is paused. */
  public static ScheduleDecision trigger(
      DecisionInput situation, String request, OverlapPolicy overlap) {
    DecisionRound round = new DecisionRound(situation, overlap);
    round.asked(situation.now(), request, FireCause.TRIGGER);
    return round.end(situation.schedule());
  }

  /**
   * Runs the fire times in [{@code from}, {@code to}], which have passed; due now, in their order.
   * Empty when they are more than {@link #mostInBackfill}.
   */
  public static Optional<ScheduleDecision> backfill(
      DecisionInput situation, Instant from, Instant to, String request, OverlapPolicy overlap) {
    int most = mostInBackfill(situation.schedule().definition(), overlap);
    List<Instant> times = situation.timetable().earliest(from.minusNanos(1_000), to, most + 1);
    if (times.size() > most) {
      return Optional.empty();
    }
    DecisionRound round = new DecisionRound(situation, overlap);
    times.forEach(time -> round.asked(time, request, FireCause.BACKFILL));
    return Optional.of(round.end(situation.schedule()));
  }

  /** Returns the most fire times of one backfill. */
  public static int mostInBackfill(ScheduleDefinition definition, OverlapPolicy overlap) {
    int most = PastFireDecisions.mostAtOnce(definition);
    return overlap == OverlapPolicy.BUFFER_ALL ? Math.min(most, definition.mostInTurn()) : most;
  }

  private static ScheduleDecision with(ScheduleDecision verdict, Schedule after) {
    return new ScheduleDecision(verdict.entries(), verdict.cancelsOthers(), after);
  }

  /** Decides everything up to now. */
  private static ScheduleDecision settle(DecisionInput situation) {
    Schedule schedule = situation.schedule();
    return switch (schedule.progress().status()) {
      case ACTIVE -> situation.isReadable() ? decideAll(situation) : ScheduleDecision.of(schedule);
      case PAUSED -> skip(situation, schedule, SkipCause.PAUSED);
      case ENDED -> ScheduleDecision.of(schedule);
    };
  }

  private static ScheduleDecision decideAll(DecisionInput situation) {
    ScheduleDecision due = PastFireDecisions.decide(situation);
    Schedule after = due.after();
    return switch (after.progress().status()) {
      // Fire times that were too many for one round are not made up for any more.
      case ACTIVE -> and(due, skip(situation, after, SkipCause.CAP));
      // The failure of its last run has paused it.
      case PAUSED -> and(due, skip(situation, after, SkipCause.PAUSED));
      case ENDED -> due;
    };
  }

  private static ScheduleDecision and(ScheduleDecision first, ScheduleDecision second) {
    List<LedgerEntry> entries = new ArrayList<>(first.entries());
    entries.addAll(second.entries());
    return new ScheduleDecision(entries, first.cancelsOthers(), second.after());
  }

  /**
   * Skips fire times that have passed and are not decided, as one range: from the first to the last
   * of them, or all the time since the last decision if the rule cannot be read.
   */
  private static ScheduleDecision skip(
      DecisionInput situation, Schedule schedule, SkipCause reason) {
    ScheduleProgress progress = schedule.progress();
    Instant from = progress.decidedTo();
    Instant now = situation.now();
    // A fixed delay has no fire times that pass.
    boolean isDelay = schedule.definition().rule().kind() == ScheduleRule.Kind.DELAY;
    if (!from.isBefore(now) || (isDelay && progress.status() == FiringStatus.ACTIVE)) {
      return ScheduleDecision.of(schedule);
    }
    DecisionRound round = new DecisionRound(situation);
    if (!isDelay && situation.isReadable()) {
      PastFireDecisions.skipBetween(round, situation.timetable(), from, now, reason);
    } else if (!isDelay) {
      round.skip(from.plusNanos(1_000), now, reason);
    }
    return round.end(schedule.with(progress.at(now, progress.nextAt())));
  }
}
