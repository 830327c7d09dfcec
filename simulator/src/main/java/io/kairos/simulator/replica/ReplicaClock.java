package io.kairos.simulator.replica;

import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;

/** A replica's clock, nearly right or wrong in one of several ways. */
final class ReplicaClock implements InstantSource {
  /** Greatest distance of a right clock from the true time after an hour. */
  static final long SKEW_MILLIS = 300;

  static final long EPOCH_MILLIS = Instant.parse("2026-11-22T10:00:00Z").toEpochMilli();
  private static final long FORTY_YEARS = 40L * 365 * 86_400_000;
  private static final int KINDS_OF_LIES = 4;

  private final ReplicaTimeline timeline;
  private final SplittableRandom random;
  private final long offsetMillis;
  private final long driftPerMillion;
  private boolean lies;

  ReplicaClock(ReplicaTimeline timeline, SplittableRandom random) {
    this.timeline = timeline;
    this.random = random;
    this.offsetMillis = random.nextLong(-100, 101);
    this.driftPerMillion = random.nextLong(-50, 51);
  }

  static long trueMillis(ReplicaTimeline timeline) {
    return EPOCH_MILLIS + timeline.nowNanos() / 1_000_000;
  }

  void lie() {
    lies = true;
  }

  boolean lies() {
    return lies;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    long now = trueMillis(timeline);
    if (lies) {
      return switch (Math.floorMod(offsetMillis, KINDS_OF_LIES)) {
        case 0 -> now + FORTY_YEARS;
        case 1 -> now - FORTY_YEARS;
        case 2 -> now + random.nextLong(-600_000, 600_000);
        default -> EPOCH_MILLIS;
      };
    }
    return now + offsetMillis + (now - EPOCH_MILLIS) * driftPerMillion / 1_000_000;
  }
}
