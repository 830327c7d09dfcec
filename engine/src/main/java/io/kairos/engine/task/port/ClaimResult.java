package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
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
 */
public record ClaimResult(
    Set<FencedTask> claimed, Map<FencedTask, Duration> heldBack, Set<FencedTask> withPredecessors) {
  public static final Duration UNTIL_CHANGED = ChronoUnit.FOREVER.getDuration();
  public static final ClaimResult NONE = new ClaimResult(Set.of(), Map.of());

  public ClaimResult {
    claimed = Set.copyOf(claimed);
    heldBack = Map.copyOf(heldBack);
    withPredecessors = Set.copyOf(withPredecessors);
  }

  /** The result for claims of tasks that have waited for no others. */
  public ClaimResult(Set<FencedTask> claimed, Map<FencedTask, Duration> heldBack) {
    this(claimed, heldBack, Set.of());
  }

  /** The union of both results. */
  public ClaimResult and(ClaimResult other) {
    Set<FencedTask> bothClaimed = new HashSet<>(claimed);
    bothClaimed.addAll(other.claimed);
    Map<FencedTask, Duration> bothHeldBack = new HashMap<>(heldBack);
    bothHeldBack.putAll(other.heldBack);
    Set<FencedTask> bothWithPredecessors = new HashSet<>(withPredecessors);
    bothWithPredecessors.addAll(other.withPredecessors);
    return new ClaimResult(bothClaimed, bothHeldBack, bothWithPredecessors);
  }
}
