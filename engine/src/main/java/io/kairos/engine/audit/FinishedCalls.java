package io.kairos.engine.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.audit.AuditStore.NewEntry;
import io.kairos.engine.time.MonotonicClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Calls whose outcome is known when they are recorded: refused ones, and changes that are recorded
 * after they were made. Each is in the log at once, and in the store once an {@link AuditTrail}
 * writes it. Needs no store, so that a process has the refusals of the time before it can work.
 * Both have a budget for a minute, beyond which they are only counted. Bounded: what comes while
 * 1,000 entries of its kind wait is told as lost. Thread-safe; does not block.
 */
public final class FinishedCalls {
  private static final int MOST_WAITING = 1_000;
  private static final int REFUSALS_OF_ONE = 10;
  private static final int REFUSALS = 60;

  /** More than of refusals, because all endpoints of a pool may come or go at once. */
  private static final int CHANGES_OF_ONE = 100;

  private static final int CHANGES = 600;

  private final AuditEvents events;
  private final EntryBudget refusals;
  private final EntryBudget changes;

  @GuardedBy("this")
  private final Deque<Finished> waiting = new ArrayDeque<>();

  /** How many of those that wait are changes. */
  @GuardedBy("this")
  private int waitingChanges;

  /** An entry that waits for the store; neither kind takes the places of the other. */
  record Finished(NewEntry entry, boolean isChange) {}

  /**
   * Nothing waits yet.
   *
   * @param monotonic by which minutes are counted
   */
  public FinishedCalls(MonotonicClock monotonic, AuditEvents events) {
    this.events = events;
    this.refusals = new EntryBudget(REFUSALS_OF_ONE, REFUSALS, monotonic);
    this.changes = new EntryBudget(CHANGES_OF_ONE, CHANGES, monotonic);
  }

  AuditEvents events() {
    return events;
  }

  /**
   * Records that a call was refused and not let through; when many are, only their number.
   *
   * @param outcome the code of gRPC
   * @return false when it was only counted
   */
  public boolean refused(AuditedCall call, String outcome) {
    boolean hasEntry = refusals.take(call, outcome);
    if (hasEntry) {
      keep(List.of(new NewEntry(call, outcome, 0)), false);
    }
    return hasEntry;
  }

  /** Records a change that was made; when there are many, only their number. */
  void changed(AuditedCall call, String outcome) {
    if (changes.take(call, outcome)) {
      keep(List.of(new NewEntry(call, outcome, 0)), true);
    }
  }

  /** Keeps entries for what was only counted, once its minute is over. */
  void keepCounted() {
    keep(refusals.rest(), false);
    keep(changes.rest(), true);
  }

  /** Keeps entries for what was only counted, at the end of the process. */
  void keepAllCounted() {
    keep(refusals.takeRest(), false);
    keep(changes.takeRest(), true);
  }

  private void keep(List<NewEntry> entries, boolean areChanges) {
    int lost = 0;
    for (NewEntry entry : entries) {
      events.recorded(entry.call(), entry.outcome(), entry.more());
      synchronized (this) {
        int alike = areChanges ? waitingChanges : waiting.size() - waitingChanges;
        if (alike < MOST_WAITING) {
          waiting.add(new Finished(entry, areChanges));
          waitingChanges += areChanges ? 1 : 0;
        } else {
          lost++;
        }
      }
    }
    if (lost > 0) {
      events.lost(lost);
    }
  }

  /** Takes the entries that have waited longest. */
  synchronized List<Finished> take(int most) {
    List<Finished> taken = AuditTrail.firstOf(waiting, most);
    waitingChanges -= changes(taken);
    return taken;
  }

  /** Takes back what could not be written. */
  synchronized void giveBack(List<Finished> entries) {
    entries.reversed().forEach(waiting::addFirst);
    waitingChanges += changes(entries);
  }

  private static int changes(List<Finished> entries) {
    return (int) entries.stream().filter(Finished::isChange).count();
  }
}
