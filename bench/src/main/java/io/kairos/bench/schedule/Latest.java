package io.kairos.bench.schedule;

/** The latest of some rounds. */
final class Latest {
  private static final double MICROS_PER_MILLI = 1_000;

  private Latest() {}

  /** Of those that there are. */
  static double millis(long[] microsByRound, int fromRound, int toRound) {
    long latest = 0;
    for (int round = Math.max(0, fromRound);
        round <= Math.min(toRound, microsByRound.length - 1);
        round++) {
      latest = Math.max(latest, microsByRound[round]);
    }
    return latest / MICROS_PER_MILLI;
  }
}
