package io.kairos.bench.delay;

import io.kairos.bench.load.DueTimes;
import io.kairos.bench.load.Generator;
import io.kairos.bench.load.LoadPlan;
import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.measure.StoredMessages;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import java.time.Duration;
import java.util.Set;

/**
 * Very many messages, all due within a short time that lies ahead: written to the input topic while
 * no node runs, then taken in by one as fast as it can.
 *
 * @param dueMicros when the first is due, microseconds since the epoch
 */
public record Flood(Payload payload, long count, long dueMicros, Duration within) {
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  /**
   * Slowest ingest that is reckoned with, and the time that filling the topic and starting take.
   */
  private static final long SLOWEST_PER_SECOND = 8_000;

  private static final Duration START = Duration.ofSeconds(30);

  /** How long before the due time a flood must begin so that all of it is stored in time. */
  public static Duration timeToStore(long count) {
    return START.plusSeconds(count / SLOWEST_PER_SECOND);
  }

  /** Fills the input topic. Returns the sequence numbers that the broker refused. */
  public Set<Long> fill(Rig rig, RouteTopics topics) {
    LoadPlan plan =
        new LoadPlan(
            topics.input(),
            payload,
            DueTimes.within(dueMicros, within, payload.run()),
            count,
            LoadPlan.FLOOD);
    try (Generator generator = Generator.start(rig.bootstrapServers(), plan, WallClock.micros())) {
      generator.await(PATIENCE);
      return generator.refused();
    }
  }

  /** Waits until a node has taken everything in. Returns messages per second from now on. */
  public double ingest(StoredMessages stored) {
    long began = System.nanoTime();
    long before = stored.takenIn();
    if (!stored.awaitTakenIn(count, PATIENCE)) {
      throw new IllegalStateException(
          "only " + stored.takenIn() + " of " + count + " messages were taken in");
    }
    return (count - before) / ((System.nanoTime() - began) / 1e9);
  }
}
