package io.kairos.client.worker;

import io.kairos.api.v1.HeartbeatResponse.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The leases of this worker's tasks: buffered, running, or ended and not yet settled. A lease is
 * lost when three heartbeats in a row failed, when it has run out since the last acknowledged
 * heartbeat was sent, or when a node says so. A task that has ended is kept until its result is
 * settled or its lease runs out. Pure; guarded by the {@link WorkerBoard}.
 */
final class WorkerLeases {
  static final int FAILURES_THAT_STOP = 3;

  /** Maximum number of tasks in one heartbeat. */
  static final int MOST_PER_BEAT = 1_000;

  private final Set<LeasedTask> held = new LinkedHashSet<>();

  /** Tasks that a heartbeat's answer declares lost or cancelled. */
  record Verdicts(List<LeasedTask> lost, List<LeasedTask> toCancel) {}

  void add(LeasedTask task) {
    held.add(task);
  }

  void remove(LeasedTask task) {
    held.remove(task);
  }

  int size() {
    return held.size();
  }

  boolean holdsAny(List<LeasedTask> tasks) {
    return tasks.stream().anyMatch(held::contains);
  }

  /** Returns the tasks whose next heartbeat is due, and marks their heartbeats as sent. */
  List<List<LeasedTask>> beatsAt(long now) {
    List<List<LeasedTask>> beats = new ArrayList<>();
    List<LeasedTask> beat = new ArrayList<>();
    for (LeasedTask one : held) {
      if (now - one.beatAtNanos >= one.terms.beatAfterNanos()) {
        one.beatAtNanos = now;
        beat.add(one);
        if (beat.size() == MOST_PER_BEAT) {
          beats.add(beat);
          beat = new ArrayList<>();
        }
      }
    }
    if (!beat.isEmpty()) {
      beats.add(beat);
    }
    return beats;
  }

  /**
   * @param verdicts verdicts in the order of the beat; tasks without a verdict are unchanged
   */
  Verdicts acknowledged(List<LeasedTask> beat, List<Verdict> verdicts, long sentAtNanos) {
    List<LeasedTask> lost = new ArrayList<>();
    List<LeasedTask> toCancel = new ArrayList<>();
    for (int i = 0; i < Math.min(beat.size(), verdicts.size()); i++) {
      LeasedTask one = beat.get(i);
      Verdict verdict = verdicts.get(i);
      if (!held.contains(one) || one.tooLate) {
        continue; // settled meanwhile, or about to be found expired
      }
      if (verdict == Verdict.LOST) {
        if (one.phase
            != LeasedTask.Phase
                .ENDED) { // the result of an ENDED task has arrived, or will be refused
          lost.add(one);
        }
      } else if (verdict == Verdict.EXTENDED || verdict == Verdict.CANCEL_REQUESTED) {
        one.failedBeats = 0;
        if (sentAtNanos - one.extendedAtNanos > 0) {
          one.extendedAtNanos = sentAtNanos;
        }
        if (verdict == Verdict.CANCEL_REQUESTED) {
          toCancel.add(one);
        }
      }
    }
    return new Verdicts(lost, toCancel);
  }

  /**
   * Counts a heartbeat that was not acknowledged.
   *
   * @return tasks whose lease is lost, after three failures in a row
   */
  List<LeasedTask> failed(List<LeasedTask> beat) {
    List<LeasedTask> lost = new ArrayList<>();
    for (LeasedTask one : beat) {
      boolean mustStop = ++one.failedBeats >= FAILURES_THAT_STOP;
      if (mustStop && held.contains(one) && one.phase != LeasedTask.Phase.ENDED) {
        lost.add(one);
      }
    }
    return lost;
  }

  List<LeasedTask> expiredAt(long now) {
    List<LeasedTask> expired = new ArrayList<>();
    for (LeasedTask one : held) {
      if (!one.isSafeAt(now)) {
        expired.add(one);
      }
    }
    return expired;
  }
}
