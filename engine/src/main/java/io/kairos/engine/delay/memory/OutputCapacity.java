package io.kairos.engine.delay.memory;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.Route;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which lane a message goes to, how much of the memory a lane may use, and for which routes
 * the node may claim. {@link MessageHolding} guards this class.
 */
final class OutputCapacity {
  /** All useless lanes together may use one part in this many of the room. */
  private static final int USELESS_FRACTION = 4;

  /**
   * A lane that answers may use half of the room, a single lane all of it. While room is short, a
   * lane that is far behind may use no more than a useless one.
   */
  private static final int MOST_PARTS = 2;

  /**
   * Longest wait of a message for a useless lane, and for one that answers, in halves of the hold
   * time. Peers reset messages of a live holder much later.
   */
  private static final int USELESS_HALVES = 1;

  private static final int ANSWERING_HALVES = 4;

  private static final Duration SHORTEST_AWAY = Duration.ofSeconds(2);
  private static final Duration LONGEST_AWAY = Duration.ofSeconds(30);

  /**
   * While this many due messages wait for an output, no more are claimed for it: claimed messages
   * must be fired well within the hold time.
   */
  private static final int MOST_QUEUED = 20_000;

  private final DelayConfig.Claiming room;
  private final long laneBytes;
  private final long halfHoldMicros;
  private final Map<RouteId, Route> routes;
  private final PartitionChoice partitionChoice;
  private final OutputLanes lanes;
  private int directTurn;

  OutputCapacity(
      DelayConfig config,
      Map<RouteId, Route> routes,
      PartitionChoice partitionChoice,
      OutputLanes lanes) {
    this.room = config.claiming();
    this.laneBytes = config.firing().laneBytes();
    this.halfHoldMicros = EpochMicros.lengthOf(config.detection().holdTime()) / 2;
    this.routes = Map.copyOf(routes);
    this.partitionChoice = partitionChoice;
    this.lanes = lanes;
  }

  /** The broker's standard choice of a partition for a key; pure. */
  @FunctionalInterface
  public interface PartitionChoice {
    int partitionFor(byte[] key, int partitions);
  }

  void partitions(MessageOutput output, int count) {
    lanes.partitions(output, count, key -> partitionChoice.partitionFor(key, count));
  }

  OutputLane laneFor(HeldMessage held) {
    DelayedMessage message = held.claimed().message();
    Route route = routes.get(message.route());
    if (route == null) {
      throw new IllegalStateException(
          "claimed a message of a route that this node does not serve: " + message);
    }
    MessageOutput output = route.outputOf(message);
    int count = lanes.partitionsOf(output);
    return lanes.laneFor(output, held, key -> partitionChoice.partitionFor(key, count));
  }

  OptionalInt openPartition(MessageOutput output, byte @Nullable [] key) {
    int count = lanes.partitionsOf(output);
    if (count == 0) {
      return OptionalInt.empty();
    }
    // Direct publishes do not count in a lane's load, so keyless ones take turns.
    int first = key == null ? directTurn++ : partitionChoice.partitionFor(key, count);
    for (int i = 0; i < (key == null ? count : 1); i++) {
      OutputLane lane = lanes.lane(output, Math.floorMod(first + i, count));
      if (!lane.isDown() && lane.queued() == 0 && lane.inFlightBytes() < laneBytes) {
        return OptionalInt.of(lane.partition());
      }
    }
    return OptionalInt.empty();
  }

  Set<RouteId> publishableRoutes(long nowNanos) {
    return routesWhere(route -> lanes.isPublishable(route.outputTopic(), nowNanos));
  }

  Set<RouteId> claimableRoutes() {
    return routesWhere(route ->
        lanes.answers(route.outputTopic()) && !lanes.isFull(route.outputTopic(), MOST_QUEUED));
  }

  Set<RouteId> probingRoutes(long nowNanos) {
    return routesWhere(route ->
        !lanes.answers(route.outputTopic())
            && Stream.concat(Stream.of(route.outputTopic()), route.allowedOutputs().stream())
                .anyMatch(output -> lanes.isPublishable(output, nowNanos)));
  }

  private Set<RouteId> routesWhere(Predicate<Route> condition) {
    return routes.values().stream().filter(condition).map(Route::id).collect(Collectors.toSet());
  }

  boolean isPublishable(long nowNanos) {
    return routes.values().stream()
        .allMatch(route -> lanes.isPublishable(route.outputTopic(), nowNanos));
  }

  /** For a useless lane how long it has been down, otherwise how far it is behind. */
  Duration trouble(OutputLane lane, long nowMicros, long nowNanos) {
    return lane.isUseless() ? lane.downFor(nowNanos) : lane.behind(nowMicros);
  }

  /**
   * How long the next message that the lane gives back stays away, in whole seconds: half as long
   * as the trouble, within bounds. Messages of a useless lane return one after another, so that a
   * backlog does not keep the store busy.
   */
  Duration awayFor(OutputLane lane, Duration trouble, long nowMicros) {
    Duration half = Duration.ofSeconds(trouble.toSeconds() / 2);
    Duration away = half.compareTo(LONGEST_AWAY) > 0 ? LONGEST_AWAY : half;
    if (away.compareTo(SHORTEST_AWAY) < 0) {
      away = SHORTEST_AWAY;
    }
    return lane.isUseless() ? lane.turnToReturn(away, nowMicros) : away;
  }

  /**
   * Takes out the next message that the lane must give back: messages that have waited too long,
   * oldest first, then messages beyond the lane's share, latest first. Returns null for none.
   *
   * @param crowded true while room is short
   */
  @Nullable HeldMessage pollExcess(OutputLane lane, boolean crowded, long nowMicros) {
    int halves = lane.isUseless() ? USELESS_HALVES : ANSWERING_HALVES;
    HeldMessage held = lane.pollFirstHeldBefore(nowMicros - halves * halfHoldMicros);
    return held == null && isBeyondShare(lane, crowded, nowMicros) ? lane.pollLast() : held;
  }

  private boolean isBeyondShare(OutputLane lane, boolean crowded, long nowMicros) {
    int count = lanes.count();
    boolean useless =
        lane.isUseless()
            || (crowded && EpochMicros.lengthOf(lane.behind(nowMicros)) > halfHoldMicros);
    int part = useless ? USELESS_FRACTION * count : Math.min(count, MOST_PARTS);
    return lane.queuedBytes() > room.maxBytes() / part
        || lane.queued() > Math.max(1, room.maxMessages() / part);
  }
}
