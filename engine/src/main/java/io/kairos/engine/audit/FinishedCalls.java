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
 * Bounded: what comes while 1,000 entries wait is told as lost. Thread-safe; does not block.
 */
public final class FinishedCalls {
  private static final int MOST_WAITING = 1_000;

  private final AuditEvents events;
  private final RefusalBudget budget;

  @GuardedBy("this")
  private final Deque<NewEntry> waiting = new ArrayDeque<>();

  /**
   * Nothing waits yet.
   *
   * @param monotonic by which refusals are counted
   */
  public FinishedCalls(MonotonicClock monotonic, AuditEvents events) {
    this.events = events;
    this.budget = new RefusalBudget(monotonic);
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
    boolean hasEntry = budget.take(call, outcome);
    if (hasEntry) {
      keep(List.of(new NewEntry(call, outcome, 0)));
    }
    return hasEntry;
  }

  /** Records a change that was made. */
  void changed(AuditedCall call, String outcome) {
    keep(List.of(new NewEntry(call, outcome, 0)));
  }

  /** Keeps entries for refusals that were only counted, once their minute is over. */
  void keepCounted() {
    keep(budget.rest());
  }

  /** Keeps entries for refusals that were only counted, at the end of the process. */
  void keepAllCounted() {
    keep(budget.takeRest());
  }

  private void keep(List<NewEntry> entries) {
    int lost = 0;
    for (NewEntry entry : entries) {
      events.recorded(entry.call(), entry.outcome(), entry.more());
      synchronized (this) {
        if (waiting.size() < MOST_WAITING) {
          waiting.add(entry);
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
  synchronized List<NewEntry> take(int most) {
    return AuditTrail.firstOf(waiting, most);
  }

  /** Takes back what could not be written. */
  synchronized void giveBack(List<NewEntry> entries) {
    entries.reversed().forEach(waiting::addFirst);
  }
}
