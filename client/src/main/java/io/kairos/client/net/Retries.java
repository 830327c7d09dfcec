package io.kairos.client.net;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides whether a call that failed is repeated, and after what pause: bounded, with a growing
 * pause whose upper half is random, and not before the node asked for. Stateless; no waiting.
 *
 * @param attempts counts the first
 * @param nodes how many there are: while one is untried, a call that a node did not take goes on at
 *     once
 */
public record Retries(int attempts, int nodes, RandomGenerator chance) {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /** No caller is made to wait longer than this for a node that asks for it. */
  private static final Duration MOST_PATIENCE = Duration.ofSeconds(30);

  /**
   * Whether to repeat the call, and when.
   *
   * @param attempt the one that failed, counted from 1
   * @param repeatable twice is as good as once
   * @return the pause; empty when the failure is the answer
   */
  public Optional<Duration> after(Refusal refusal, int attempt, boolean repeatable) {
    if (attempt >= attempts || !(refusal.isUnavailable() || refusal.isExhausted())) {
      return Optional.empty();
    }
    if (!refusal.nothingDone() && (!repeatable || refusal.isExhausted())) {
      return Optional.empty(); // exhausted without a word of the node: a message is too large
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
