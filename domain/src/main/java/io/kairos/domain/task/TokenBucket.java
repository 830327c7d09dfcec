package io.kairos.domain.task;

import io.kairos.domain.task.OrderingKeyPolicy.Rate;

/**
 * A token bucket: it fills up at the rate, to its burst at most, and each start takes a token.
 *
 * @param atMicros when it had so many tokens, microseconds since 1970
 */
public record TokenBucket(double tokens, long atMicros) {
  private static final double MICROS = 1_000_000;

  /** Tolerates the rounding of sums: a token may lack so much. */
  private static final double ROUNDING = 1e-9;

  static TokenBucket full(Rate rate, long nowMicros) {
    return new TokenBucket(rate.burst(), nowMicros);
  }

  /** Returns the bucket at a later time; a clock that went back adds nothing. */
  TokenBucket at(long nowMicros, Rate rate) {
    double gained = Math.max(0, nowMicros - atMicros) / MICROS * rate.perSecond();
    return new TokenBucket(Math.min(rate.burst(), tokens + gained), Math.max(atMicros, nowMicros));
  }

  boolean hasOne() {
    return tokens >= 1 - ROUNDING;
  }

  TokenBucket withoutOne() {
    return new TokenBucket(tokens - 1, atMicros);
  }

  /**
   * Returns how long it takes until there are so many tokens.
   *
   * @param wanted more than there are
   */
  long microsUntil(int wanted, Rate rate) {
    return (long) Math.ceil((wanted - tokens) / rate.perSecond() * MICROS);
  }
}
