package io.kairos.hashgraph;

/**
 * A rate limit: so many tokens a second, and as many at once as accrue in the time {@code burst}.
 * What is larger passes too, and is made up for afterwards; so nothing has to know beforehand what
 * it costs. Not for two threads.
 *
 * @see <a href="https://www.itu.int/rec/T-REC-I.371">the generic cell rate algorithm, ITU-T
 *     I.371</a>
 */
final class TokenBucket {
  private static final double NANOS = 1e9;

  private final double nanosPerToken;
  private final long burstNanos;

  /** When all that was taken is made up for. */
  private long fullAt;

  private boolean isUsed;

  TokenBucket(double tokensPerSecond, long burstNanos) {
    this.nanosPerToken = NANOS / tokensPerSecond;
    this.burstNanos = burstNanos;
  }

  /** True when a token may be taken now. */
  boolean isOpen(long nowNanos) {
    return !isUsed || fullAt - nowNanos <= burstNanos;
  }

  /** Takes tokens out, whether they are there or not. */
  void take(long tokens, long nowNanos) {
    long from = isUsed && fullAt - nowNanos > 0 ? fullAt : nowNanos;
    fullAt = from + (long) (tokens * nanosPerToken);
    isUsed = true;
  }

  /** Takes a token, if something may happen now. */
  boolean tryTake(long nowNanos) {
    boolean isOpen = isOpen(nowNanos);
    if (isOpen) {
      take(1, nowNanos);
    }
    return isOpen;
  }
}
