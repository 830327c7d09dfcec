package io.kairos.client.task;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When to retry a failed task. Null fields come from the handler's policy, by default 101 attempts,
 * 20 s, factor 2, at most 120 s.
 *
 * @param maxAttempts maximum number of attempts, including the first
 * @param initialBackoff wait before the second attempt
 * @param factor factor by which each wait exceeds the one before, at least 1
 * @param maxBackoff maximum wait between two attempts
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
