package io.kairos.engine.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.time.EpochMicros;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the outputs of this node's routes can take: which lane a message goes to, how much of all
 * room a lane may have, and for which routes it makes sense to claim. {@link Holding} guards it.
 */
final class Outputs {
  /** Useless lanes share this part of all room. */
  private static final int USELESS_FRACTION = 4;

  /** A lane that answers may have half of all room, however far behind it is; one alone all. */
  private static final int MOST_PARTS = 2;

  /**
   * With this many due messages of a topic waiting for publishing no more are claimed for it: what
   * is claimed must be fired well within the hold time.
   */
  private static final int MOST_QUEUED = 20_000;

  private final DelayConfig.Claiming room;
  private final long laneBytes;
  private final long halfHoldMicros;
  private final Map<RouteId, Route> routes;
  private final PartitionChoice partitionChoice;
  private final Lanes lanes = new Lanes();
  private int directTurn;

  Outputs(DelayConfig config, Map<RouteId, Route> routes, PartitionChoice partitionChoice) {
    this.room = config.claiming();
    this.laneBytes = config.firing().laneBytes();
    this.halfHoldMicros = EpochMicros.lengthOf(config.detection().holdTime()) / 2;
    this.routes = Map.copyOf(routes);
    this.partitionChoice = partitionChoice;
  }

  /** The broker's standard choice of a partition for a key; pure. */
  @FunctionalInterface
  interface PartitionChoice {
    int partitionFor(byte[] key, int partitions);
  }

  void partitions(String topic, int count) {
    lanes.partitions(topic, count, key -> partitionChoice.partitionFor(key, count));
  }

  /** The next keyless messages choose anew. */
  void rotate() {
    lanes.rotate();
  }

  Collection<Lane> lanes() {
    return lanes.all();
  }

  Lane lane(String topic, int partition) {
    return lanes.lane(topic, partition);
  }

  boolean has(Lane lane) {
    return lanes.has(lane);
  }

  Lane laneFor(Held held) {
    DelayedMessage message = held.claimed().message();
    Route route = routes.get(message.route());
    if (route == null) {
      throw new IllegalStateException(
          "claimed a message of a route that this node does not serve: " + message);
    }
    String topic = route.outputOf(message);
    int count = lanes.partitionsOf(topic);
    return lanes.laneFor(topic, held, key -> partitionChoice.partitionFor(key, count));
  }

  OptionalInt openPartition(String topic, byte @Nullable [] key) {
    int count = lanes.partitionsOf(topic);
    if (count == 0) {
      return OptionalInt.empty();
    }
    // Direct publishes leave no trace in a lane's load: keyless ones take turns.
    int first = key == null ? directTurn++ : partitionChoice.partitionFor(key, count);
    for (int i = 0; i < (key == null ? count : 1); i++) {
      Lane lane = lanes.lane(topic, Math.floorMod(first + i, count));
      if (!lane.isDown() && lane.queued() == 0 && lane.inFlightBytes() < laneBytes) {
        return OptionalInt.of(lane.partition());
      }
    }
    return OptionalInt.empty();
  }

  Set<RouteId> publishableRoutes(long nowNanos) {
    Set<RouteId> publishable = new HashSet<>();
    for (Route route : routes.values()) {
      if (lanes.isPublishable(route.outputTopic(), nowNanos)
          || route.allowedOutputs().stream()
              .anyMatch(topic -> lanes.isPublishable(topic, nowNanos))) {
        publishable.add(route.id());
      }
    }
    return publishable;
  }

  Set<RouteId> claimableRoutes(long nowNanos) {
    Set<RouteId> claimable = publishableRoutes(nowNanos);
    for (Route route : routes.values()) {
      if (lanes.isFull(route.outputTopic(), MOST_QUEUED)) {
        claimable.remove(route.id());
      }
    }
    return claimable;
  }

  boolean isPublishable(long nowNanos) {
    return routes.values().stream()
        .allMatch(route -> lanes.isPublishable(route.outputTopic(), nowNanos));
  }

  /** How long the lane has been useless, or how far it is behind. */
  Duration trouble(Lane lane, long nowMicros, long nowNanos) {
    return isUseless(lane) ? lane.downFor(nowNanos) : lane.behind(nowMicros);
  }

  /**
   * The next that the lane must not keep: what has waited for a useless lane for half the hold
   * time, oldest first, then what is beyond the lane's share, latest first; null for nothing.
   */
  @Nullable Held pollExcess(Lane lane, long nowMicros) {
    Held held = isUseless(lane) ? lane.pollFirstHeldBefore(nowMicros - halfHoldMicros) : null;
    return held == null && isBeyondShare(lane) ? lane.pollLast() : held;
  }

  private static boolean isUseless(Lane lane) {
    return lane.isDown() || lane.partition() == Lane.UNKNOWN_PARTITION;
  }

  private boolean isBeyondShare(Lane lane) {
    int count = lanes.count();
    int part = isUseless(lane) ? USELESS_FRACTION * count : Math.min(count, MOST_PARTS);
    return lane.queuedBytes() > room.maxBytes() / part
        || lane.queued() > Math.max(1, room.maxMessages() / part);
  }
}
