package io.kairos.bench.delay;

import io.kairos.bench.rig.NodeSettings;
import java.time.Duration;

/**
 * One open-loop run.
 *
 * @param perSecond messages per second that the schedule asks for
 * @param delayMin shortest delay between the scheduled sending and the due time
 * @param warmup first part of the load, which is not measured
 * @param duration second part, which is
 * @param backlog messages that wait far in the future all the while
 */
public record DelaySettings(
    double perSecond,
    Duration delayMin,
    Duration delayMax,
    Duration warmup,
    Duration duration,
    int valueBytes,
    int partitions,
    int nodes,
    long backlog,
    NodeSettings node) {
  public DelaySettings {
    require(perSecond >= 1, "--rate must be at least 1 message per second");
    require(delayMax.compareTo(delayMin) >= 0, "--delay-max must not be shorter than --delay-min");
    require(!delayMin.isNegative(), "--delay-min must not be negative");
    require(duration.toMillis() >= 1_000, "--duration must be at least 1 s");
    require(!warmup.isNegative(), "--warmup must not be negative");
    require(partitions >= 1 && partitions <= 1_000, "--partitions must be in [1, 1000]");
    require(nodes >= 1 && nodes <= 16, "--nodes must be in [1, 16]");
    require(backlog >= 0, "--backlog must not be negative");
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  DelaySettings at(double newPerSecond, Duration newWarmup, Duration newDuration) {
    return new DelaySettings(
        newPerSecond,
        delayMin,
        delayMax,
        newWarmup,
        newDuration,
        valueBytes,
        partitions,
        nodes,
        backlog,
        node);
  }

  DelaySettings on(NodeSettings otherNode) {
    return new DelaySettings(
        perSecond,
        delayMin,
        delayMax,
        warmup,
        duration,
        valueBytes,
        partitions,
        nodes,
        backlog,
        otherNode);
  }

  long count() {
    return Math.round(perSecond * warmup.plus(duration).toNanos() / 1e9);
  }
}
