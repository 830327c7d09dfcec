package io.kairos.engine.cluster;

import io.kairos.domain.time.EpochMicros;
import java.time.Duration;
import java.time.Instant;

/** A time ahead that is shown as bars of equal lengths. */
public enum WaitingSpan {
  /** The next hour, by minutes. */
  HOUR(60, Duration.ofMinutes(1)),
  /** The next day, by half hours. */
  DAY(48, Duration.ofMinutes(30)),
  /** The next 30 days, by days of UTC. */
  MONTH(30, Duration.ofDays(1));

  private final int bars;
  private final Duration length;

  WaitingSpan(int bars, Duration length) {
    this.bars = bars;
    this.length = length;
  }

  /** How many bars it has. */
  public int bars() {
    return bars;
  }

  /** The length of a bar in microseconds. */
  public long lengthMicros() {
    return EpochMicros.lengthOf(length);
  }

  /** The beginning of the first bar, at or before now: a multiple of the length. */
  public long beginMicros(Instant now) {
    long micros = EpochMicros.of(now);
    return micros - Math.floorMod(micros, lengthMicros());
  }
}
