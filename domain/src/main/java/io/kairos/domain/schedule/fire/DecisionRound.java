package io.kairos.domain.schedule.fire;

import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.task.TaskId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The decisions of one round on a schedule, fire time after fire time. */
final class DecisionRound {
  private final Schedule schedule;
  private final OverlapPolicy overlap;
  private final Instant now;
  private final List<LedgerEntry> entries = new ArrayList<>();
  private ScheduleProgress progress;
  private int unfinished;
  private boolean cancelsOthers;

  /** True while the end of the last run is awaited, which stays the last one until then. */
  private boolean watchesLast;

  DecisionRound(DecisionInput situation) {
    this(situation, situation.schedule().definition().policies().overlap());
  }

  DecisionRound(DecisionInput situation, OverlapPolicy overlap) {
    this.schedule = situation.schedule();
    this.overlap = overlap;
    this.now = situation.now();
    this.progress = schedule.progress();
    this.unfinished = situation.unfinished();
    this.watchesLast =
        judgesRuns()
            && progress.lastRun() != null
            && situation.lastRun() == null
            && situation.unfinished() > 0;
  }

  /**
   * Returns true if the schedule waits for the end of a run to judge it. Such a run stays the last
   * one, because newer runs would hardly ever have ended when the next is made.
   */
  private boolean judgesRuns() {
    return schedule.definition().policies().pauseOnFailure()
        && overlap != OverlapPolicy.CANCEL_OTHER;
  }

  ScheduleProgress progress() {
    return progress;
  }

  boolean isOver() {
    Long most = schedule.definition().bounds().maxRuns();
    return most != null && progress.runs() >= most;
  }

  /** Fires at a fire time of the rule, or skips it because of unfinished runs. */
  void offer(Instant fireAt) {
    if (isOver()) {
      return;
    }
    LedgerEntry entry = offer(fireAt, fireAt, "", FireCause.SCHEDULE);
    TaskId run = entry.run();
    if (run != null) {
      TaskId last = progress.lastRun();
      progress = progress.ran(watchesLast && last != null ? last : run);
      watchesLast = judgesRuns();
    }
  }

  /** Fires a run of a trigger or a backfill, due now, or skips it because of unfinished runs. */
  void asked(Instant fireAt, String request, FireCause cause) {
    offer(fireAt, now, request, cause);
  }

  private LedgerEntry offer(Instant fireAt, Instant base, String request, FireCause cause) {
    SkipCause reason = inTheWay();
    LedgerEntry entry =
        reason == null
            ? fired(fireAt, base, request, cause)
            : new LedgerEntry(
                fireAt, request, fireAt, 1L, FireDecision.SKIPPED, reason, cause, now, null, null);
    entries.add(entry);
    return entry;
  }

  private @Nullable SkipCause inTheWay() {
    return switch (overlap) {
      case SKIP -> unfinished >= 1 ? SkipCause.OVERLAP : null;
      case BUFFER_ONE -> unfinished >= 2 ? SkipCause.BUFFER_FULL : null;
      case BUFFER_ALL ->
          unfinished >= schedule.definition().mostInTurn() ? SkipCause.BUFFER_FULL : null;
      case CANCEL_OTHER, ALLOW_ALL -> null;
    };
  }

  private LedgerEntry fired(Instant fireAt, Instant base, String request, FireCause cause) {
    if (overlap == OverlapPolicy.CANCEL_OTHER) {
      cancelsOthers |= unfinished > 0;
    }
    unfinished++;
    Instant runAt =
        cause == FireCause.SCHEDULE
            ? schedule.definition().spread().dueAt(schedule.id().toString(), base)
            : base;
    return new LedgerEntry(
        fireAt,
        request,
        fireAt,
        1L,
        FireDecision.FIRED,
        null,
        cause,
        now,
        runAt,
        ExecutionIds.of(schedule.id(), fireAt, request, schedule.definition().tasks()));
  }

  void skip(Instant first, Instant last, SkipCause reason) {
    if (!isOver()) {
      entries.add(LedgerEntry.range(first, last, reason, now));
    }
  }

  /**
   * Notes times that the timetable leaves out, except in a range that was decided as a whole. A
   * fire time takes its instant first: a time left out at the same instant is noted a microsecond
   * later. Nothing is noted after the last run that the schedule may have.
   */
  void note(List<Timetable.LeftOut> leftOut) {
    Set<Instant> taken = new HashSet<>();
    entries.forEach(entry -> taken.add(entry.fireAt()));
    List<LedgerEntry> ranges =
        entries.stream().filter(entry -> entry.fireAt().isBefore(entry.until())).toList();
    Instant end = isOver() ? taken.stream().max(Comparator.naturalOrder()).orElse(now) : now;
    for (Timetable.LeftOut one : leftOut) {
      if (one.at().isAfter(end)) {
        break;
      }
      boolean inRange =
          ranges.stream()
              .anyMatch(
                  range -> !one.at().isBefore(range.fireAt()) && !one.at().isAfter(range.until()));
      if (!inRange) {
        Instant at = one.at();
        while (!taken.add(at)) {
          at = at.plusNanos(1_000);
        }
        entries.add(
            LedgerEntry.range(at, PastFireDecisions.later(at, one.until()), one.reason(), now));
      }
    }
  }

  /** Returns the decisions in the order of time. */
  ScheduleDecision end(Schedule after) {
    entries.sort(Comparator.comparing(LedgerEntry::fireAt).thenComparing(LedgerEntry::request));
    return new ScheduleDecision(entries, cancelsOthers, after);
  }

  /** Returns the decisions. The schedule goes on, or ends when it has no more fire times. */
  ScheduleDecision end(ScheduleProgress at) {
    boolean ended = isOver() || at.nextAt() == null;
    ScheduleProgress last = ended ? at.still(FiringStatus.ENDED, "", now) : at;
    return end(schedule.with(last));
  }
}
