package io.kairos.domain.pool;

import static io.kairos.domain.check.ArgumentCheck.require;

import java.time.Duration;

/**
 * The rules by which an endpoint is ejected and returns.
 *
 * @param failures the number of failures in a row that ejects it
 * @param pause the time before it is probed with one request; twice as long after each probe that
 *     fails, up to eight times
 * @param rampUp the time in which its share grows from a tenth to the whole after its return
 */
public record EndpointEjection(int failures, Duration pause, Duration rampUp) {
  /** The default of a pool. */
  public static final EndpointEjection DEFAULT =
      new EndpointEjection(3, Duration.ofSeconds(10), Duration.ofSeconds(30));

  /** The rule for the values, for messages. */
  public static final String RULE =
      "1 to 1,000 failures, a pause from 100 ms to 1 h, and a ramp-up of at most 1 h";

  /** Throws {@link IllegalArgumentException} for values outside {@link #RULE}. */
  public EndpointEjection {
    Duration hour = Duration.ofHours(1);
    boolean good =
        failures >= 1
            && failures <= 1_000
            && pause.toMillis() >= 100
            && pause.compareTo(hour) <= 0
            && !rampUp.isNegative()
            && rampUp.compareTo(hour) <= 0;
    require(good, "an ejection has " + RULE);
  }
}
