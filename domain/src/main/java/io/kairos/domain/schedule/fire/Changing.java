package io.kairos.domain.schedule.fire;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of a schedule when somebody changes it. What was due by then is decided first, by
 * the schedule as it was; from then on it fires by what it has become, so no fire time is decided
 * twice and none is lost (PH-15, PH-20).
 */
public final class Changing {
  private Changing() {}

  /** A schedule that is new; empty when it would never fire. */
  public static Optional<Schedule> begin(
      ScheduleId id, ScheduleName name, Definition definition, Timetable timetable, Instant now) {
    Progress fresh = new Progress(Status.ACTIVE, "", now, now, now, 0, null);
    Schedule schedule = new Schedule(id, name, definition, 1, now, now, fresh);
    Schedule looked = Deciding.decide(new Situation(schedule, timetable, 0, null, now)).after();
    return Optional.of(looked).filter(one -> one.progress().status() == Status.ACTIVE);
  }

  /** Fires no more until it is resumed; what is unfinished goes on. */
  public static Verdict pause(Situation situation, String note) {
    Verdict due = settle(situation);
    Schedule after = due.after();
    Progress progress = after.progress();
    return switch (progress.status()) {
      case ACTIVE -> with(due, after.with(progress.still(Status.PAUSED, note, situation.now())));
      // Whoever pauses again says why anew; since when stays.
      case PAUSED -> with(due, after.with(progress.still(Status.PAUSED, note, progress.since())));
      case ENDED -> due;
    };
  }

  /** Fires again, from now on: what passed while it was paused is skipped (PH-20). */
  public static Verdict resume(Situation situation) {
    if (situation.schedule().progress().status() != Status.PAUSED) {
      return Verdict.of(situation.schedule());
    }
    Verdict settled = settle(situation);
    Schedule after = settled.after();
    if (after.definition().policies().pauseOnFailure()) {
      // or the failure that has paused it would pause it again
      after = after.with(after.progress().withoutLastRun());
    }
    return with(settled, started(after, situation.timetable(), situation.now()));
  }

  /**
   * Another definition from now on.
   *
   * @param timetable of the new definition
   */
  public static Verdict edit(Situation situation, Definition definition, Timetable timetable) {
    Instant now = situation.now();
    Verdict settled = settle(situation);
    Schedule before = settled.after();
    Progress progress = before.progress();
    Schedule edited = before.with(definition, now, progress);
    if (progress.status() == Status.ACTIVE && !situation.isReadable()) {
      // What has passed since it could be read last is decided by what it has become.
      return with(settled, edited.with(progress.lookedAt(now)));
    }
    return with(
        settled, progress.status() == Status.PAUSED ? edited : started(edited, timetable, now));
  }

  /** Active from now on; ended when it has nothing to fire. */
  private static Schedule started(Schedule schedule, Timetable timetable, Instant now) {
    Progress progress = schedule.progress();
    Instant from = progress.decidedTo().isAfter(now) ? progress.decidedTo() : now;
    Schedule active = schedule.with(progress.active(now, from));
    // A fixed delay needs to know how its last run has ended: the next look asks. One that cannot
    // be read is put off by it, and told of.
    return schedule.definition().rule().kind() == Rule.Kind.DELAY
            || timetable.equals(Timetable.UNKNOWN)
        ? active
        : Deciding.decide(new Situation(active, timetable, 0, null, from)).after();
  }

  /** Nothing more is fired; tells what became of the fire times until then. */
  public static Verdict end(Situation situation) {
    return settle(situation);
  }

  /** Runs it now, whether it is paused or not. */
  public static Verdict trigger(Situation situation, String request, OverlapPolicy overlap) {
    Round round = new Round(situation, overlap);
    round.asked(situation.now(), request, Cause.TRIGGER);
    return round.end(situation.schedule());
  }

  /**
   * Runs the fire times in [{@code from}, {@code to}], which have passed; due now, in their order.
   * Empty when they are more than {@link #mostInBackfill}.
   */
  public static Optional<Verdict> backfill(
      Situation situation, Instant from, Instant to, String request, OverlapPolicy overlap) {
    int most = mostInBackfill(situation.schedule().definition());
    List<Instant> times = situation.fireTimes().earliest(from.minusNanos(1_000), to, most + 1);
    if (times.size() > most) {
      return Optional.empty();
    }
    Round round = new Round(situation, overlap);
    times.forEach(time -> round.asked(time, request, Cause.BACKFILL));
    return Optional.of(round.end(situation.schedule()));
  }

  /** So many fire times can be asked for at once. */
  public static int mostInBackfill(Definition definition) {
    return Deciding.mostAtOnce(definition);
  }

  private static Verdict with(Verdict verdict, Schedule after) {
    return new Verdict(verdict.entries(), verdict.cancelsOthers(), after);
  }

  /** Decides everything up to now. */
  private static Verdict settle(Situation situation) {
    if (!situation.isReadable()) {
      return settleUnread(situation);
    }
    return switch (situation.schedule().progress().status()) {
      case ACTIVE -> decideAll(situation);
      case PAUSED -> skip(situation, situation.schedule(), Reason.PAUSED);
      case ENDED -> Verdict.of(situation.schedule());
    };
  }

  /** It is not known what there is to decide, but that a pause skips all of it. */
  private static Verdict settleUnread(Situation situation) {
    Schedule schedule = situation.schedule();
    Progress progress = schedule.progress();
    Instant now = situation.now();
    if (progress.status() != Status.PAUSED || !progress.decidedTo().isBefore(now)) {
      return Verdict.of(schedule);
    }
    Round round = new Round(situation);
    if (schedule.definition().rule().kind() != Rule.Kind.DELAY) {
      round.skip(progress.decidedTo().plusNanos(1_000), now, Reason.PAUSED);
    }
    return round.end(schedule.with(progress.at(now, progress.nextAt())));
  }

  private static Verdict decideAll(Situation situation) {
    Verdict due = Deciding.decide(situation);
    Schedule after = due.after();
    return switch (after.progress().status()) {
      // What was too much for one look is not made up for any more.
      case ACTIVE -> and(due, skip(situation, after, Reason.CAP));
      // Its last run's failure has paused it.
      case PAUSED -> and(due, skip(situation, after, Reason.PAUSED));
      case ENDED -> due;
    };
  }

  private static Verdict and(Verdict first, Verdict second) {
    List<LedgerEntry> entries = new ArrayList<>(first.entries());
    entries.addAll(second.entries());
    return new Verdict(entries, first.cancelsOthers(), second.after());
  }

  /** Skips what has passed and is not decided, as one range. */
  private static Verdict skip(Situation situation, Schedule schedule, Reason reason) {
    Progress progress = schedule.progress();
    Instant from = progress.decidedTo();
    Instant now = situation.now();
    // A fixed delay has no fire times that pass.
    boolean isDelay = schedule.definition().rule().kind() == Rule.Kind.DELAY;
    if (!from.isBefore(now) || (isDelay && progress.status() == Status.ACTIVE)) {
      return Verdict.of(schedule);
    }
    Round round = new Round(situation);
    if (!isDelay) {
      Deciding.skipBetween(round, situation.fireTimes(), from, now, reason);
    }
    return round.end(schedule.with(progress.at(now, progress.nextAt())));
  }
}
