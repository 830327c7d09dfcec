package io.kairos.domain.pool;

import java.time.Duration;

/**
 * When an endpoint is left out (PH-29), and how it returns.
 *
 * @param failures so many in a row leave it out
 * @param pause before it is probed with one request; twice as long after each probe that fails, up
 *     to eight times
 * @param rampUp over which its share grows from a tenth to the whole when it has returned
 */
public record Ejection(int failures, Duration pause, Duration rampUp) {
  /** What a pool has that says nothing. */
  public static final Ejection DEFAULT =
      new Ejection(3, Duration.ofSeconds(10), Duration.ofSeconds(30));

  /** What the values may be, for messages. */
  public static final String RULE =
      "1 to 1,000 failures, a pause from 100 ms to 1 h, and a ramp-up of at most 1 h";

  /** Throws {@link IllegalArgumentException} for values outside {@link #RULE}. */
  public Ejection {
    Duration hour = Duration.ofHours(1);
    boolean good =
        failures >= 1
            && failures <= 1_000
            && pause.toMillis() >= 100
            && pause.compareTo(hour) <= 0
            && !rampUp.isNegative()
            && rampUp.compareTo(hour) <= 0;
    if (!good) {
      throw new IllegalArgumentException("an ejection has " + RULE);
    }
  }
}
