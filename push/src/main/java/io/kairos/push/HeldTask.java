package io.kairos.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.FencedTask;
import io.kairos.engine.task.edge.ClaimedTask;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A task that this node has claimed for a pool, until the store knows its outcome. Thread-safe: the
 * first end counts.
 */
final class HeldTask {
  private final ClaimedTask work;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicBoolean told = new AtomicBoolean();

  @GuardedBy("this")
  private long answerBytes;

  @GuardedBy("this")
  private boolean forgotten;

  private volatile long leaseSinceNanos;
  private volatile @Nullable End end;
  private volatile @Nullable PushAttempt attempt;

  /** The end of a task on this node, for the store. */
  sealed interface End {
    /** The attempt has ended. */
    record With(AttemptOutcome outcome) implements End {}

    /** The attempt goes on at the endpoint for this long. */
    record Later(Duration atMost) implements End {}
  }

  HeldTask(ClaimedTask work, long nowNanos) {
    this.work = work;
    this.leaseSinceNanos = nowNanos;
  }

  ClaimedTask work() {
    return work;
  }

  FencedTask task() {
    return work.task();
  }

  void begins(PushAttempt begun) {
    attempt = begun;
    if (ended.get()) {
      begun.abandon();
    }
  }

  /** Sets the end; false when the task has ended before. */
  boolean end(End how) {
    if (!ended.compareAndSet(false, true)) {
      return false;
    }
    end = how;
    return true;
  }

  /** Ends the task without a report and aborts its request. */
  void abandon() {
    ended.set(true);
    PushAttempt begun = attempt;
    if (begun != null) {
      begun.abandon();
    }
  }

  /** Counts bytes of its answer; false when the task is forgotten. */
  synchronized boolean takeRoom(long more) {
    if (!forgotten) {
      answerBytes += more;
    }
    return !forgotten;
  }

  /** Returns the bytes of its answer, and counts no more. */
  synchronized long giveRoomBack() {
    forgotten = true;
    return answerBytes;
  }

  /** Null while the task runs, and after it was abandoned. */
  @Nullable End end() {
    return end;
  }

  /** True for the one caller that is to report the end; it calls {@link #notTold} on failure. */
  boolean tell() {
    return told.compareAndSet(false, true);
  }

  void notTold() {
    told.set(false);
  }

  void renewed(long sentNanos) {
    leaseSinceNanos = sentNanos;
  }

  long leaseSinceNanos() {
    return leaseSinceNanos;
  }
}
