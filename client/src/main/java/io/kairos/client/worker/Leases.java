package io.kairos.client.worker;

import io.kairos.api.v1.HeartbeatResponse.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The leases of all that this worker holds, whether it waits, runs, or has ended and is not settled
 * (DA-22). A lease is lost when three heartbeats in a row failed, when the time since the sending
 * of the last acknowledged one is used up, or when a node says so. What has ended is kept until its
 * result is settled or its time is up. Pure; guarded by the {@link Board}.
 */
final class Leases {
  static final int FAILURES_THAT_STOP = 3;

  /** What one heartbeat may carry. */
  static final int MOST_PER_BEAT = 1_000;

  private final Set<Held> held = new LinkedHashSet<>();

  /** What a heartbeat's answer asks for. */
  record Verdicts(List<Held> lost, List<Held> toCancel) {}

  void add(Held task) {
    held.add(task);
  }

  void remove(Held task) {
    held.remove(task);
  }

  int size() {
    return held.size();
  }

  /** Those whose next heartbeat is due; from now on they count as sent. */
  List<List<Held>> beatsAt(long now) {
    List<List<Held>> beats = new ArrayList<>();
    List<Held> beat = new ArrayList<>();
    for (Held one : held) {
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
   * @param verdicts in the order of the beat; what is missing counts as no word
   */
  Verdicts acknowledged(List<Held> beat, List<Verdict> verdicts, long sentAtNanos) {
    List<Held> lost = new ArrayList<>();
    List<Held> toCancel = new ArrayList<>();
    for (int i = 0; i < Math.min(beat.size(), verdicts.size()); i++) {
      Held one = beat.get(i);
      Verdict verdict = verdicts.get(i);
      if (!held.contains(one) || one.tooLate) {
        continue; // settled meanwhile, or about to be found expired
      }
      if (verdict == Verdict.LOST) {
        if (one.phase != Held.Phase.ENDED) { // else its result has arrived, or will be refused
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
   * A heartbeat was not acknowledged.
   *
   * @return those that have failed too often
   */
  List<Held> failed(List<Held> beat) {
    List<Held> lost = new ArrayList<>();
    for (Held one : beat) {
      boolean mustStop = ++one.failedBeats >= FAILURES_THAT_STOP;
      if (mustStop && held.contains(one) && one.phase != Held.Phase.ENDED) {
        lost.add(one);
      }
    }
    return lost;
  }

  List<Held> expiredAt(long now) {
    List<Held> expired = new ArrayList<>();
    for (Held one : held) {
      if (!one.isSafeAt(now)) {
        expired.add(one);
      }
    }
    return expired;
  }
}
