package io.kairos.domain.task;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.time.Duration;

/**
 * The number of a task's attempts and the backoff between them: exponential, capped, with the upper
 * half of each wait random, so that tasks that failed together are not retried together.
 *
 * @param maxAttempts attempts with the first, 1 to {@value #MOST_ATTEMPTS}
 * @param initial the wait before the second attempt, at most {@link #LONGEST}
 * @param factor the factor by which each wait is longer than the one before, 1 to 100
 * @param max bound on a wait, at least {@code initial}, at most {@link #LONGEST}
 */
public record RetryPolicy(int maxAttempts, Duration initial, double factor, Duration max) {
  public static final int MOST_ATTEMPTS = 1_000_000;
  public static final Duration LONGEST = Duration.ofDays(365);

  /** 100 retries, 20 s doubling to 120 s. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(101, Duration.ofSeconds(20), 2, Duration.ofSeconds(120));

  private static final double MOST_FACTOR = 100;

  /** Throws {@link IllegalArgumentException} that names what is out of range. */
  public RetryPolicy {
    require(
        maxAttempts >= 1 && maxAttempts <= MOST_ATTEMPTS, "max_attempts must be 1 to 1,000,000");
    require(
        !initial.isNegative() && initial.compareTo(LONGEST) <= 0,
        "initial_backoff must be 0 to 365 days");
    require(factor >= 1 && factor <= MOST_FACTOR, "factor must be 1 to 100");
    require(
        max.compareTo(initial) >= 0 && max.compareTo(LONGEST) <= 0,
        "max_backoff must be between initial_backoff and 365 days");
  }

  public boolean allowsAfter(int attempt) {
    return attempt < maxAttempts;
  }

  /**
   * Returns the wait after a failed attempt.
   *
   * @param attempt the attempt that failed, counted from 1
   * @param chance uniform in [0, 1)
   */
  public Duration backoffAfter(int attempt, double chance) {
    double longest = max.toNanos();
    double base = Math.min(longest, initial.toNanos() * Math.pow(factor, Math.max(0, attempt - 1)));
    return Duration.ofNanos((long) (base / 2 + base / 2 * chance));
  }
}
