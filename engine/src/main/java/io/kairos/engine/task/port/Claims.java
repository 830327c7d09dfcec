package io.kairos.engine.task.port;

import io.kairos.domain.task.FencedTask;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What claims came to, each under the fence of its enqueued task. What is in neither is no longer
 * this node's to hand out.
 *
 * @param claimed with the next fence and one attempt more
 * @param heldBack still enqueued: a limit of the queue has no room; and after how long it may have,
 *     which is {@link #UNTIL_CHANGED} where only the end of a task or an operator makes room
 */
public record Claims(Set<FencedTask> claimed, Map<FencedTask, Duration> heldBack) {
  public static final Duration UNTIL_CHANGED = ChronoUnit.FOREVER.getDuration();
  public static final Claims NONE = new Claims(Set.of(), Map.of());

  public Claims {
    claimed = Set.copyOf(claimed);
    heldBack = Map.copyOf(heldBack);
  }

  /** Both. */
  public Claims and(Claims other) {
    Set<FencedTask> bothClaimed = new HashSet<>(claimed);
    bothClaimed.addAll(other.claimed);
    Map<FencedTask, Duration> bothHeldBack = new HashMap<>(heldBack);
    bothHeldBack.putAll(other.heldBack);
    return new Claims(bothClaimed, bothHeldBack);
  }
}
