package io.kairos.domain.task;

import io.kairos.domain.task.KeyPolicy.Rate;

/**
 * How many may start now: fills up at the rate, to its burst at most. A full one is as good as new.
 *
 * @param atMicros when it had so many
 */
public record TokenBucket(double tokens, long atMicros) {
  private static final double MICROS = 1_000_000;

  /** A double that has lost its last digit to a sum is still a whole token. */
  private static final double ROUNDING = 1e-9;

  static TokenBucket full(Rate rate, long nowMicros) {
    return new TokenBucket(rate.burst(), nowMicros);
  }

  /** As it is at a later time; a clock that went back adds nothing. */
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
   * How long until there are so many.
   *
   * @param wanted more than there are
   */
  long microsUntil(int wanted, Rate rate) {
    return (long) Math.ceil((wanted - tokens) / rate.perSecond() * MICROS);
  }
}
