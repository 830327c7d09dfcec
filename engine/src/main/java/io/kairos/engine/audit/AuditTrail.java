package io.kairos.engine.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.audit.AuditStore.EndedCall;
import io.kairos.engine.audit.AuditStore.NewEntry;
import io.kairos.engine.audit.FinishedCalls.Finished;
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
import java.util.OptionalInt;
import java.util.function.ObjIntConsumer;

/**
 * Records calls of operators, and refusals. The entry of a call is written before the call is let
 * through, and its outcome at the end; what comes while a write is under way shares the next one.
 * Calls may be offered by any thread, which is never blocked; one step writes, another prunes.
 * Bounded: a call is refused when too many wait, outcomes, refusals and changes are dropped then.
 */
public final class AuditTrail {
  private static final int MOST_WAITING = 1_000;
  private static final int BATCH = 500;
  private static final int PRUNED_AT_ONCE = 1_000;
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration PRUNES_EVERY = Duration.ofSeconds(20);
  private static final Duration BETWEEN_PRUNINGS = Duration.ofMillis(50);

  /** A call has ended, and its outcome is written, within this time of its begin. */
  private static final Duration ENDED_WITHIN = Duration.ofMinutes(2);

  private static final Duration UNDECIDED_FOR = Duration.ofHours(1);
  private static final int MOST_LOOKED_AT = 10_000;

  private final AuditConfig config;
  private final Ports ports;
  private final Wakeup wakeup;

  @GuardedBy("this")
  private final Deque<Begun> begun = new ArrayDeque<>();

  /** Outcomes, which nobody waits for. */
  @GuardedBy("this")
  private final Deque<EndedCall> ended = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean closed;

  /**
   * The surroundings of an audit trail.
   *
   * @param finished also has what was recorded before there was a store
   */
  public record Ports(AuditStore store, WakeupFactory wakeups, FinishedCalls finished) {
    /** Surroundings of a trail before which nothing was recorded. */
    public Ports(
        AuditStore store, MonotonicClock monotonic, WakeupFactory wakeups, AuditEvents events) {
      this(store, wakeups, new FinishedCalls(monotonic, events));
    }

    private AuditEvents events() {
      return finished.events();
    }
  }

  private record Begun(AuditedCall call, AnswerCallback<Long> answer) {
    private NewEntry entry() {
      return new NewEntry(call, AuditRecord.BEGUN, 0);
    }
  }

  public AuditTrail(AuditConfig config, Ports ports) {
    this.config = config;
    this.ports = ports;
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
      isFull = ended.size() >= MOST_WAITING;
      if (!isFull) {
        ended.add(new EndedCall(number, outcome));
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
    if (ports.finished().refused(call, outcome)) {
      wakeup.signal();
    }
  }

  /**
   * Records a change after it was made, for calls that repeat and of which most change nothing: the
   * entry of such a call is missing when the process ends before it is written. When a caller makes
   * many, only their number is recorded.
   *
   * @param outcome the code of gRPC
   */
  public void changed(AuditedCall call, String outcome) {
    ports.finished().changed(call, outcome);
    wakeup.signal();
  }

  /** Returns entries, newest first. Blocks on the store. */
  public List<AuditRecord> list(AuditSearch query) {
    return ports.store().list(query);
  }

  NextRound runOnce() {
    ports.finished().keepCounted();
    return write() ? NextRound.AT_ONCE : NextRound.after(IDLE);
  }

  /** Entries that one write of the store takes. */
  private record Batch(List<Begun> begun, List<EndedCall> ended, List<Finished> finished) {
    private boolean isEmpty() {
      return begun.isEmpty() && ended.isEmpty() && finished.isEmpty();
    }

    private List<NewEntry> entries() {
      List<NewEntry> entries = new ArrayList<>();
      begun.forEach(one -> entries.add(one.entry()));
      finished.forEach(one -> entries.add(one.entry()));
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
      try {
        answer(batch.begun, (one, _) -> one.answer.failed(e));
      } catch (RuntimeException thrown) {
        e.addSuppressed(thrown);
      }
      throw e;
    }
    answer(batch.begun, (one, place) -> one.answer.answered(numbers.get(place)));
    return true;
  }

  /** Answers every call, also when a callback throws; throws the first such exception then. */
  private static void answer(List<Begun> calls, ObjIntConsumer<Begun> answer) {
    RuntimeException thrown = null;
    for (int i = 0; i < calls.size(); i++) {
      try {
        answer.accept(calls.get(i), i);
      } catch (RuntimeException e) {
        thrown = thrown == null ? e : thrown;
      }
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  private Batch take() {
    synchronized (this) {
      return new Batch(firstOf(begun, BATCH), firstOf(ended, BATCH), ports.finished().take(BATCH));
    }
  }

  static <T> List<T> firstOf(Deque<T> queue, int most) {
    List<T> first = new ArrayList<>();
    while (first.size() < most && !queue.isEmpty()) {
      first.add(queue.removeFirst());
    }
    return first;
  }

  /** Keeps what nobody waits for, to be written when the store answers again. */
  private void giveBack(Batch batch) {
    synchronized (this) {
      batch.ended.reversed().forEach(ended::addFirst);
    }
    ports.finished().giveBack(batch.finished);
  }

  /** Prunes, and counts the calls whose end is not known when there is little to prune. */
  private NextRound prune() {
    int pruned;
    int undecided;
    try {
      pruned = ports.store().prune(config.retention(), PRUNED_AT_ONCE);
      if (pruned == PRUNED_AT_ONCE) {
        return NextRound.after(BETWEEN_PRUNINGS).having(pruned);
      }
      undecided = ports.store().undecided(ENDED_WITHIN, UNDECIDED_FOR, MOST_LOOKED_AT);
    } catch (RuntimeException e) {
      ports.events().undecided(OptionalInt.empty());
      throw e;
    }
    ports.events().undecided(OptionalInt.of(undecided));
    return NextRound.after(PRUNES_EVERY).having(pruned);
  }

  /** Refuses calls from now on; those that wait are still recorded. */
  public synchronized void close() {
    closed = true;
  }

  /** Writes what is left. Called after {@link #close}, when the steps have ended. */
  public void finish() {
    ports.finished().keepAllCounted();
    while (write()) {
      // until nothing is left
    }
  }
}
