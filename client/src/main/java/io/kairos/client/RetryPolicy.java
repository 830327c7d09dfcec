package io.kairos.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When to try a failed task again. What is null is taken from the handler's defaults: 101 attempts,
 * 20 s, factor 2, at most 120 s.
 *
 * @param maxAttempts counts the first
 * @param initialBackoff before the second attempt
 * @param factor by which each wait is longer than the one before, at least 1
 * @param maxBackoff bound on a wait
 */
public record RetryPolicy(
    @Nullable Integer maxAttempts,
    @Nullable Duration initialBackoff,
    @Nullable Double factor,
    @Nullable Duration maxBackoff) {
  public static final RetryPolicy DEFAULT = new RetryPolicy(null, null, null, null);

  public static RetryPolicy attempts(int maxAttempts) {
    return new RetryPolicy(maxAttempts, null, null, null);
  }

  public RetryPolicy backoff(Duration initial, double newFactor, Duration max) {
    return new RetryPolicy(maxAttempts, initial, newFactor, max);
  }
}
