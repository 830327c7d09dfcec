package io.kairos.client.worker;

import io.kairos.api.v1.Work;
import org.jspecify.annotations.Nullable;

/** A task that is claimed for this worker, with its lease. Guarded by the {@link Board}'s lock. */
final class Held {
  enum Phase {
    /** Waits for an executor. */
    BUFFERED,
    RUNNING,
    /** Its handler has ended; the node has not acknowledged the result. */
    ENDED,
    /** Settled, or its lease is lost. Its handler may still be running. */
    GONE
  }

  final Work work;
  final Terms terms;

  /** When the answer came; executions are timed from here. */
  final long receivedAtNanos;

  /** Sending of the last claim or heartbeat that was acknowledged. Read without the lock, too. */
  volatile long extendedAtNanos;

  /** Sending of the last claim or heartbeat, acknowledged or not. */
  long beatAtNanos;

  int failedBeats;

  /**
   * It was too late to begin it, or to report it: an answer to an older heartbeat must not revive
   * its lease, which would then be kept for ever for nothing.
   */
  boolean tooLate;

  Phase phase = Phase.BUFFERED;

  /** Set while its handler runs and after. */
  @Nullable Run run;

  Held(Work work, Terms terms, long askedAtNanos, long receivedAtNanos) {
    this.work = work;
    this.terms = terms;
    this.receivedAtNanos = receivedAtNanos;
    this.extendedAtNanos = askedAtNanos;
    this.beatAtNanos = askedAtNanos;
  }

  /** Of the lease; negative when it is over. */
  long nanosLeftAt(long now) {
    return terms.leaseNanos() - (now - extendedAtNanos);
  }

  boolean isSafeAt(long now) {
    return now - extendedAtNanos < terms.safeNanos();
  }
}
