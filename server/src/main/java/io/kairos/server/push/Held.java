package io.kairos.server.push;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.Outcome;
import io.kairos.engine.task.Work;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A task that this node has claimed for a pool, until what came of it is known to the store.
 * Thread-safe: ended once, whoever comes first.
 */
final class Held {
  private final Work work;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicBoolean told = new AtomicBoolean();
  private volatile long leaseSinceNanos;
  private volatile @Nullable End end;
  private volatile @Nullable Attempt attempt;

  /** What is to be said to the store. */
  sealed interface End {
    /** The attempt has ended. */
    record With(Outcome outcome) implements End {}

    /** It goes on elsewhere for so long. */
    record Later(Duration atMost) implements End {}
  }

  Held(Work work, long nowNanos) {
    this.work = work;
    this.leaseSinceNanos = nowNanos;
  }

  Work work() {
    return work;
  }

  FencedTask task() {
    return work.task();
  }

  void begins(Attempt begun) {
    attempt = begun;
    if (ended.get()) {
      begun.abandon();
    }
  }

  /** True for the first who says so. */
  boolean end(End how) {
    if (!ended.compareAndSet(false, true)) {
      return false;
    }
    end = how;
    return true;
  }

  /** Ends it without a word; what is under way is broken off. */
  void abandon() {
    ended.set(true);
    Attempt begun = attempt;
    if (begun != null) {
      begun.abandon();
    }
  }

  /** Null while it goes on, and when it was abandoned. */
  @Nullable End end() {
    return end;
  }

  /** True for the one who is to tell the store; {@link #notTold} when that has failed. */
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
