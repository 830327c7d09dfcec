package io.kairos.engine.node;

import java.time.Duration;

/**
 * How a node shows that it lives. Checks itself; what it says names the keys by which an operator
 * sets it.
 *
 * @param renewInterval how often a node says that it lives
 * @param lapse how long after its last renewal, by the store's clock, a node counts as dead
 * @param clockBound how far the node's clock may be from the store's before the node stops acting
 *     (CH-21)
 */
public record LivenessConfig(Duration renewInterval, Duration lapse, Duration clockBound) {
  /** What a node has whose operator says nothing. */
  public static final LivenessConfig DEFAULT =
      new LivenessConfig(Duration.ofMillis(300), Duration.ofMillis(1_500), Duration.ofMillis(500));

  public LivenessConfig {
    require(renewInterval.toMillis() >= 1, "delay.liveness.renew-interval must be at least 1 ms");
    require(
        lapse.compareTo(renewInterval.multipliedBy(3)) >= 0,
        "delay.liveness.lapse must be at least three renewals long, or one lost renewal makes a"
            + " live node look dead");
    require(clockBound.toMillis() >= 1, "delay.liveness.clock-bound must be at least 1 ms");
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
