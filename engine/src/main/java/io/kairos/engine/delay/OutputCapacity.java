package io.kairos.engine.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.Output;
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
final class OutputCapacity {
  /** Useless lanes share this part of all room. */
  private static final int USELESS_FRACTION = 4;

  /**
   * A lane that answers may have half of all room, one alone all; while room is short and it is far
   * behind, no more than a useless one.
   */
  private static final int MOST_PARTS = 2;

  /**
   * How long a message waits for a useless lane, and for one that answers, in halves of the hold
   * time: well before peers count a live holder as stuck.
   */
  private static final int USELESS_HALVES = 1;

  private static final int ANSWERING_HALVES = 4;

  private static final Duration SHORTEST_AWAY = Duration.ofSeconds(2);
  private static final Duration LONGEST_AWAY = Duration.ofSeconds(30);

  /**
   * With this many due messages of an output waiting for publishing no more are claimed for it:
   * what is claimed must be fired well within the hold time.
   */
  private static final int MOST_QUEUED = 20_000;

  private final DelayConfig.Claiming room;
  private final long laneBytes;
  private final long halfHoldMicros;
  private final Map<RouteId, Route> routes;
  private final PartitionChoice partitionChoice;
  private final Lanes lanes = new Lanes();
  private int directTurn;

  OutputCapacity(DelayConfig config, Map<RouteId, Route> routes, PartitionChoice partitionChoice) {
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

  void partitions(Output output, int count) {
    lanes.partitions(output, count, key -> partitionChoice.partitionFor(key, count));
  }

  /** The next keyless messages choose anew. */
  void rotate() {
    lanes.rotate();
  }

  Collection<Lane> lanes() {
    return lanes.all();
  }

  Lane lane(Output output, int partition) {
    return lanes.lane(output, partition);
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
    Output output = route.outputOf(message);
    int count = lanes.partitionsOf(output);
    return lanes.laneFor(output, held, key -> partitionChoice.partitionFor(key, count));
  }

  OptionalInt openPartition(Output output, byte @Nullable [] key) {
    int count = lanes.partitionsOf(output);
    if (count == 0) {
      return OptionalInt.empty();
    }
    // Direct publishes leave no trace in a lane's load: keyless ones take turns.
    int first = key == null ? directTurn++ : partitionChoice.partitionFor(key, count);
    for (int i = 0; i < (key == null ? count : 1); i++) {
      Lane lane = lanes.lane(output, Math.floorMod(first + i, count));
      if (!lane.isDown() && lane.queued() == 0 && lane.inFlightBytes() < laneBytes) {
        return OptionalInt.of(lane.partition());
      }
    }
    return OptionalInt.empty();
  }

  Set<RouteId> publishableRoutes(long nowNanos) {
    Set<RouteId> publishable = new HashSet<>();
    for (Route route : routes.values()) {
      if (lanes.isPublishable(route.outputTopic(), nowNanos)) {
        publishable.add(route.id());
      }
    }
    return publishable;
  }

  Set<RouteId> claimableRoutes() {
    Set<RouteId> claimable = new HashSet<>();
    for (Route route : routes.values()) {
      if (lanes.answers(route.outputTopic()) && !lanes.isFull(route.outputTopic(), MOST_QUEUED)) {
        claimable.add(route.id());
      }
    }
    return claimable;
  }

  Set<RouteId> probingRoutes(long nowNanos) {
    Set<RouteId> probing = publishableRoutes(nowNanos);
    for (Route route : routes.values()) {
      if (lanes.answers(route.outputTopic())) {
        probing.remove(route.id());
      } else if (route.allowedOutputs().stream()
          .anyMatch(output -> lanes.isPublishable(output, nowNanos))) {
        probing.add(route.id());
      }
    }
    return probing;
  }

  boolean isPublishable(long nowNanos) {
    return routes.values().stream()
        .allMatch(route -> lanes.isPublishable(route.outputTopic(), nowNanos));
  }

  /** How long the lane has been useless, or how far it is behind. */
  Duration trouble(Lane lane, long nowMicros, long nowNanos) {
    return lane.isUseless() ? lane.downFor(nowNanos) : lane.behind(nowMicros);
  }

  /**
   * How long the next that the lane does not keep stays away, in whole seconds: half as long as the
   * trouble. What goes to a useless lane also takes turns, so that a backlog for it does not keep
   * the store busy going round.
   */
  Duration awayFor(Lane lane, Duration trouble, long nowMicros) {
    Duration half = Duration.ofSeconds(trouble.toSeconds() / 2);
    Duration away = half.compareTo(LONGEST_AWAY) > 0 ? LONGEST_AWAY : half;
    if (away.compareTo(SHORTEST_AWAY) < 0) {
      away = SHORTEST_AWAY;
    }
    return lane.isUseless() ? lane.turnToReturn(away, nowMicros) : away;
  }

  /**
   * The next that the lane must not keep: what has waited for it too long, oldest first, then what
   * is beyond the lane's share, latest first; null for nothing.
   *
   * @param crowded room is short
   */
  @Nullable Held pollExcess(Lane lane, boolean crowded, long nowMicros) {
    int halves = lane.isUseless() ? USELESS_HALVES : ANSWERING_HALVES;
    Held held = lane.pollFirstHeldBefore(nowMicros - halves * halfHoldMicros);
    return held == null && isBeyondShare(lane, crowded, nowMicros) ? lane.pollLast() : held;
  }

  private boolean isBeyondShare(Lane lane, boolean crowded, long nowMicros) {
    int count = lanes.count();
    boolean useless =
        lane.isUseless()
            || (crowded && EpochMicros.lengthOf(lane.behind(nowMicros)) > halfHoldMicros);
    int part = useless ? USELESS_FRACTION * count : Math.min(count, MOST_PARTS);
    return lane.queuedBytes() > room.maxBytes() / part
        || lane.queued() > Math.max(1, room.maxMessages() / part);
  }
}
