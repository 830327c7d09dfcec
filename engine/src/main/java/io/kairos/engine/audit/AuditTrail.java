package io.kairos.engine.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.audit.AuditStore.EndedCall;
import io.kairos.engine.audit.AuditStore.NewEntry;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.loop.WakeupFactory;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.NodeStopping;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Records calls of operators, and refusals. The entry of a call is written before the call is let
 * through, and its outcome at the end; what comes while a write is under way shares the next one.
 * Calls may be offered by any thread, which is never blocked; one step writes, another prunes.
 * Bounded: a call is refused when too many wait, outcomes and refusals are dropped then.
 */
public final class AuditTrail {
  private static final int MOST_WAITING = 1_000;
  private static final int BATCH = 500;
  private static final int PRUNED_AT_ONCE = 1_000;
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration PRUNES_EVERY = Duration.ofSeconds(20);
  private static final Duration BETWEEN_PRUNINGS = Duration.ofMillis(50);

  private final AuditConfig config;
  private final Ports ports;
  private final RefusalBudget budget;
  private final Wakeup wakeup;

  @GuardedBy("this")
  private final Deque<Begun> begun = new ArrayDeque<>();

  /** Outcomes and refusals, which nobody waits for. */
  @GuardedBy("this")
  private Backlog backlog = new Backlog();

  @GuardedBy("this")
  private boolean closed;

  /** The surroundings of an audit trail. */
  public record Ports(
      AuditStore store, MonotonicClock monotonic, WakeupFactory wakeups, AuditEvents events) {}

  private record Begun(AuditedCall call, AnswerCallback<Long> answer) {
    private NewEntry entry() {
      return new NewEntry(call, AuditRecord.BEGUN, 0);
    }
  }

  private record Backlog(Deque<EndedCall> ended, Deque<NewEntry> refusals) {
    private Backlog() {
      this(new ArrayDeque<>(), new ArrayDeque<>());
    }
  }

  public AuditTrail(AuditConfig config, Ports ports) {
    this.config = config;
    this.ports = ports;
    this.budget = new RefusalBudget(ports.monotonic());
    this.wakeup = ports.wakeups().create();
  }

  /** The steps that write and prune. */
  public List<StepActivity> activities() {
    return List.of(
        StepActivity.serving("write-audit", this::runOnce, wakeup),
        StepActivity.looking("prune-audit", this::prune, ports.wakeups().create()));
  }

  /**
   * Records that a call is about to be let through. The answer is the number of the entry, once
   * that is durable; a failure means that the call must be refused.
   *
   * @return false when too many wait; then there is no answer
   */
  public boolean begin(AuditedCall call, AnswerCallback<Long> answer) {
    synchronized (this) {
      if (!closed) {
        if (begun.size() >= MOST_WAITING) {
          return false;
        }
        begun.add(new Begun(call, answer));
        wakeup.signal();
        return true;
      }
    }
    answer.failed(new NodeStopping());
    return true;
  }

  /**
   * Records the outcome of a call that was let through.
   *
   * @param number the answer to {@link #begin}
   * @param outcome the code of gRPC
   */
  public void end(long number, AuditedCall call, String outcome) {
    ports.events().recorded(call, outcome, 0);
    boolean isFull;
    synchronized (this) {
      isFull = backlog.ended.size() >= MOST_WAITING;
      if (!isFull) {
        backlog.ended.add(new EndedCall(number, outcome));
      }
      wakeup.signal();
    }
    if (isFull) {
      ports.events().lost(1);
    }
  }

  /**
   * Records that a call was refused and not let through; when many are, only their number.
   *
   * @param outcome the code of gRPC
   */
  public void refused(AuditedCall call, String outcome) {
    if (budget.take(call, outcome)) {
      keep(List.of(new NewEntry(call, outcome, 0)));
    }
  }

  private void keep(List<NewEntry> refusals) {
    int lost = 0;
    for (NewEntry refusal : refusals) {
      ports.events().recorded(refusal.call(), refusal.outcome(), refusal.more());
      synchronized (this) {
        if (backlog.refusals.size() < MOST_WAITING) {
          backlog.refusals.add(refusal);
        } else {
          lost++;
        }
      }
    }
    if (lost > 0) {
      ports.events().lost(lost);
    }
    if (!refusals.isEmpty()) {
      wakeup.signal();
    }
  }

  /** Returns entries, newest first. Blocks on the store. */
  public List<AuditRecord> list(AuditSearch query) {
    return ports.store().list(query);
  }

  NextRound runOnce() {
    keep(budget.rest());
    return write() ? NextRound.AT_ONCE : NextRound.after(IDLE);
  }

  /** What one write of the store takes. */
  private record Batch(List<Begun> begun, List<EndedCall> ended, List<NewEntry> refusals) {
    private boolean isEmpty() {
      return begun.isEmpty() && ended.isEmpty() && refusals.isEmpty();
    }

    private List<NewEntry> entries() {
      List<NewEntry> entries = new ArrayList<>();
      begun.forEach(one -> entries.add(one.entry()));
      entries.addAll(refusals);
      return entries;
    }
  }

  /** Writes one batch; false when there was nothing to write. */
  private boolean write() {
    Batch batch = take();
    if (batch.isEmpty()) {
      return false;
    }
    List<Long> numbers;
    try {
      numbers = ports.store().write(batch.entries(), batch.ended);
    } catch (RuntimeException e) {
      giveBack(batch);
      batch.begun.forEach(one -> one.answer.failed(e));
      throw e;
    }
    for (int i = 0; i < batch.begun.size(); i++) {
      batch.begun.get(i).answer.answered(numbers.get(i));
    }
    return true;
  }

  private synchronized Batch take() {
    return new Batch(
        firstOf(begun, BATCH), firstOf(backlog.ended, BATCH), firstOf(backlog.refusals, BATCH));
  }

  private static <T> List<T> firstOf(Deque<T> queue, int most) {
    List<T> first = new ArrayList<>();
    while (first.size() < most && !queue.isEmpty()) {
      first.add(queue.removeFirst());
    }
    return first;
  }

  /** Keeps what nobody waits for, to be written when the store answers again. */
  private synchronized void giveBack(Batch batch) {
    batch.ended.reversed().forEach(backlog.ended::addFirst);
    batch.refusals.reversed().forEach(backlog.refusals::addFirst);
  }

  private NextRound prune() {
    int pruned = ports.store().prune(config.retention(), PRUNED_AT_ONCE);
    return NextRound.after(pruned == PRUNED_AT_ONCE ? BETWEEN_PRUNINGS : PRUNES_EVERY)
        .having(pruned);
  }

  /** Refuses calls from now on; those that wait are still recorded. */
  public synchronized void close() {
    closed = true;
  }

  /** Writes what is left. Called after {@link #close}, when the steps have ended. */
  public void finish() {
    keep(budget.takeRest());
    while (write()) {
      // until nothing is left
    }
  }
}
