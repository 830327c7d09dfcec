package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.queue.QueueId;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The result of claims, each named by the fence of its enqueued task. This node may not hand out
 * any other task of the request.
 *
 * @param claimed claimed tasks; they now have the next fence and one attempt more
 * @param heldBack tasks that are still enqueued because the queue's limit has no room, with the
 *     time after which it may have room: {@link #UNTIL_CHANGED} when only the end of a task or an
 *     operator makes room
 * @param withPredecessors those of the claimed tasks that have waited for others
 * @param roomIn queues with tasks that are not enqueued and may begin now, instead of refused ones
 */
public record ClaimResult(
    Set<FencedTask> claimed,
    Map<FencedTask, Duration> heldBack,
    Set<FencedTask> withPredecessors,
    Set<QueueId> roomIn) {
  public static final Duration UNTIL_CHANGED = ChronoUnit.FOREVER.getDuration();
  public static final ClaimResult NONE = new ClaimResult(Set.of(), Map.of());

  public ClaimResult {
    claimed = Set.copyOf(claimed);
    heldBack = Map.copyOf(heldBack);
    withPredecessors = Set.copyOf(withPredecessors);
    roomIn = Set.copyOf(roomIn);
  }

  /** The result for claims that make no room for others. */
  public ClaimResult(
      Set<FencedTask> claimed,
      Map<FencedTask, Duration> heldBack,
      Set<FencedTask> withPredecessors) {
    this(claimed, heldBack, withPredecessors, Set.of());
  }

  /** The result for claims of tasks that have waited for no others. */
  public ClaimResult(Set<FencedTask> claimed, Map<FencedTask, Duration> heldBack) {
    this(claimed, heldBack, Set.of());
  }

  /** This result, with room in some queues. */
  public ClaimResult with(Set<QueueId> room) {
    return new ClaimResult(claimed, heldBack, withPredecessors, room);
  }

  /** The union of both results. */
  public ClaimResult and(ClaimResult other) {
    Set<FencedTask> bothClaimed = new HashSet<>(claimed);
    bothClaimed.addAll(other.claimed);
    Map<FencedTask, Duration> bothHeldBack = new HashMap<>(heldBack);
    bothHeldBack.putAll(other.heldBack);
    Set<FencedTask> bothWithPredecessors = new HashSet<>(withPredecessors);
    bothWithPredecessors.addAll(other.withPredecessors);
    Set<QueueId> bothRoomIn = new HashSet<>(roomIn);
    bothRoomIn.addAll(other.roomIn);
    return new ClaimResult(bothClaimed, bothHeldBack, bothWithPredecessors, bothRoomIn);
  }
}
