package io.kairos.bench.fault;

import java.time.Duration;
import java.util.SplittableRandom;

/** Longer than the shipped lease of 4.5 s, so that the tasks begin elsewhere meanwhile. */
final class PauseLength {
  static final String SHOWN = "5 to 7 s";

  private static final int LEAST_MILLIS = 5_000;
  private static final int MOST_MILLIS = 7_000;

  private final SplittableRandom random = new SplittableRandom();

  Duration next() {
    return Duration.ofMillis(random.nextInt(LEAST_MILLIS, MOST_MILLIS + 1));
  }
}
