package io.kairos.bench.load;

import io.kairos.domain.time.EpochMicros;
import java.time.Instant;

/**
 * The clock of generator and observer, the same one that the node reads: microseconds since the
 * epoch. Read anew each time and not counted on from a start, so that a clock that is being slewed
 * does not look like lateness.
 */
public final class LoadClock {
  private LoadClock() {}

  public static long micros() {
    return EpochMicros.of(Instant.now());
  }
}
