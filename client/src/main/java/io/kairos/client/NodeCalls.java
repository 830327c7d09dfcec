package io.kairos.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The calls of a client: to nodes over connections, or to one in this process. {@link #now} blocks
 * the caller's thread, {@link #later} blocks none. Thread-safe.
 */
interface NodeCalls extends AutoCloseable {
  /** Returns the longest time that one attempt of a call may take. */
  Duration timeout();

  /** Returns the client's monotonic clock. */
  long nanos();

  /** Makes a call, and returns what its answer means. */
  <R> R now(NodeCall<?, ?, R> call);

  /**
   * Makes a call without blocking a thread. The future ends as {@link #now} does, on a thread of
   * the client; with a {@link io.kairos.client.error.QuotaExceededException} when too many bytes of
   * requests wait for answers. Who cancels it cancels the call.
   */
  <R> CompletableFuture<R> later(NodeCall<?, ?, R> call);

  /**
   * As {@link #later}, for a call that carries on one that has just ended, in whose room it is,
   * even if another call has taken that meanwhile.
   */
  default <R> CompletableFuture<R> further(NodeCall<?, ?, R> call) {
    return later(call);
  }

  /** Ends calls under way. */
  @Override
  void close();
}
