package io.kairos.domain.schedule.fire;

import io.kairos.domain.task.TaskId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The decisions of one look at a schedule, fire time after fire time. */
final class Round {
  private final Schedule schedule;
  private final OverlapPolicy overlap;
  private final Instant now;
  private final List<LedgerEntry> entries = new ArrayList<>();
  private Progress progress;
  private int unfinished;
  private boolean cancelsOthers;

  /** The last run is still to be judged, and stays the last one until it is. */
  private boolean watchesLast;

  Round(Situation situation) {
    this(situation, situation.schedule().definition().policies().overlap());
  }

  Round(Situation situation, OverlapPolicy overlap) {
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
   * Beside each other or in turn: the newest would hardly ever have ended when the next is made.
   */
  private boolean judgesRuns() {
    return schedule.definition().policies().pauseOnFailure()
        && overlap != OverlapPolicy.CANCEL_OTHER;
  }

  Progress progress() {
    return progress;
  }

  boolean isOver() {
    Long most = schedule.definition().bounds().maxRuns();
    return most != null && progress.runs() >= most;
  }

  /** Fires at a fire time of the rule, or skips it because of earlier runs. */
  void offer(Instant fireAt) {
    if (isOver()) {
      return;
    }
    LedgerEntry entry = offer(fireAt, fireAt, "", Cause.SCHEDULE);
    TaskId run = entry.run();
    if (run != null) {
      TaskId last = progress.lastRun();
      progress = progress.ran(watchesLast && last != null ? last : run);
      watchesLast = judgesRuns();
    }
  }

  /** Fires a run that somebody asked for, due now, or skips it because of others. */
  void asked(Instant fireAt, String request, Cause cause) {
    offer(fireAt, now, request, cause);
  }

  private LedgerEntry offer(Instant fireAt, Instant base, String request, Cause cause) {
    Reason reason = inTheWay();
    LedgerEntry entry =
        reason == null
            ? fired(fireAt, base, request, cause)
            : new LedgerEntry(
                fireAt, request, fireAt, 1L, Decision.SKIPPED, reason, cause, now, null, null);
    entries.add(entry);
    return entry;
  }

  private @Nullable Reason inTheWay() {
    return switch (overlap) {
      case SKIP -> unfinished >= 1 ? Reason.OVERLAP : null;
      case BUFFER_ONE -> unfinished >= 2 ? Reason.BUFFER_FULL : null;
      case BUFFER_ALL, CANCEL_OTHER, ALLOW_ALL -> null;
    };
  }

  private LedgerEntry fired(Instant fireAt, Instant base, String request, Cause cause) {
    if (overlap == OverlapPolicy.CANCEL_OTHER) {
      cancelsOthers |= unfinished > 0;
    }
    unfinished++;
    Instant runAt =
        cause == Cause.SCHEDULE
            ? schedule.definition().spread().dueAt(schedule.id().toString(), base)
            : base;
    return new LedgerEntry(
        fireAt,
        request,
        fireAt,
        1L,
        Decision.FIRED,
        null,
        cause,
        now,
        runAt,
        ExecutionIds.of(schedule.id(), fireAt, request));
  }

  void skip(Instant first, Instant last, Reason reason) {
    if (!isOver()) {
      entries.add(LedgerEntry.range(first, last, reason, now));
    }
  }

  /**
   * Notes what the timetable leaves out, but for what lies in a range that was decided as a whole.
   * A fire time has the first claim on its instant: what would share it is noted a microsecond
   * later. Behind the last run that there may be nothing is left out any more.
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
        entries.add(LedgerEntry.range(at, Deciding.later(at, one.until()), one.reason(), now));
      }
    }
  }

  /** What was decided, in the order of time. */
  Verdict end(Schedule after) {
    entries.sort(Comparator.comparing(LedgerEntry::fireAt).thenComparing(LedgerEntry::request));
    return new Verdict(entries, cancelsOthers, after);
  }

  /** The schedule goes on, or has ended when it has nothing more to fire. */
  Verdict end(Progress at) {
    boolean ended = isOver() || at.nextAt() == null;
    Progress last = ended ? at.still(Status.ENDED, "", now) : at;
    return end(schedule.with(last));
  }
}
