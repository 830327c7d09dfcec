package io.kairos.client.worker;

import io.kairos.api.v1.Work;
import org.jspecify.annotations.Nullable;

/** A task that is leased to this worker. Guarded by the {@link WorkerBoard}'s lock. */
final class LeasedTask {
  enum Phase {
    /** The task waits for an executor. */
    BUFFERED,
    RUNNING,
    /** The handler has ended; the node has not acknowledged the result. */
    ENDED,
    /** The result is settled, or the lease is lost. The handler may still be running. */
    GONE
  }

  final Work work;
  final LeaseTerms terms;

  /** When the answer with the task arrived; the execution timeout counts from here. */
  final long receivedAtNanos;

  /** When the last acknowledged claim or heartbeat was sent. Also read without the lock. */
  volatile long extendedAtNanos;

  /** When the last claim or heartbeat was sent, acknowledged or not. */
  long beatAtNanos;

  int failedBeats;

  /**
   * True when the task could not be begun or reported in time. An answer to an older heartbeat must
   * not extend the lease then, because the lease would be kept for ever without use.
   */
  boolean tooLate;

  Phase phase = Phase.BUFFERED;

  /** The handler's run, from its beginning on. Also read without the lock. */
  volatile @Nullable HandlerRun run;

  LeasedTask(Work work, LeaseTerms terms, long askedAtNanos, long receivedAtNanos) {
    this.work = work;
    this.terms = terms;
    this.receivedAtNanos = receivedAtNanos;
    this.extendedAtNanos = askedAtNanos;
    this.beatAtNanos = askedAtNanos;
  }

  /** Nanoseconds left of the lease; negative when it has ended. */
  long nanosLeftAt(long now) {
    return terms.leaseNanos() - (now - extendedAtNanos);
  }

  boolean isSafeAt(long now) {
    return now - extendedAtNanos < terms.safeNanos();
  }
}
