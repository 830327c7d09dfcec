package io.kairos.client.net;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides whether a failed call is retried, and after which pause. Retries are bounded, their
 * backoff is exponential with jitter over its upper half, and a longer wait that the node asks for
 * is kept. Stateless; does not wait.
 *
 * @param attempts maximum number of attempts, including the first
 * @param nodes number of nodes; a call without effect goes to the next node at once while one is
 *     untried
 * @param chance source of the jitter
 */
public record CallRetries(int attempts, int nodes, RandomGenerator chance) {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /** Longest wait that a node may ask for; calls with a longer one fail. */
  private static final Duration MOST_PATIENCE = Duration.ofSeconds(30);

  /**
   * Returns the pause before the retry of a call.
   *
   * @param attempt number of the failed attempt, from 1
   * @param repeatable true when the call is idempotent
   * @return the pause; empty when the call is not retried
   */
  public Optional<Duration> after(CallRefusal refusal, int attempt, boolean repeatable) {
    if (attempt >= attempts || !(refusal.isUnavailable() || refusal.isExhausted())) {
      return Optional.empty();
    }
    if (!refusal.nothingDone() && (!repeatable || refusal.isExhausted())) {
      return Optional.empty(); // exhausted, and not declared by a node: a message is too large
    }
    if (refusal.isUnavailable() && refusal.nothingDone() && attempt < nodes) {
      return Optional.of(Duration.ZERO);
    }
    Duration invited = refusal.retryAfter();
    Duration asked = invited == null ? Duration.ZERO : invited;
    if (asked.compareTo(MOST_PATIENCE) > 0) {
      return Optional.empty();
    }
    Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(attempt - 1, 10));
    long most = (doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled).toNanos();
    Duration pause = Duration.ofNanos(most / 2 + (long) (chance.nextDouble() * (most / 2.0)));
    return Optional.of(pause.compareTo(asked) < 0 ? asked : pause);
  }
}
