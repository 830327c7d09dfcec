package io.kairos.engine.node;

import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.time.Duration;

/**
 * How a node shows that it lives. Checks itself; what it says names the keys by which an operator
 * sets it.
 */
public record LivenessConfig(
    @Setting(
            key = "delay.liveness.renew-interval",
            defaultValue = "0.3s",
            min = "0.001s",
            description = "How often a node tells the store that it lives.")
        Duration renewInterval,
    @Setting(
            key = "delay.liveness.lapse",
            defaultValue = "1.5s",
            description =
                "Silence, by the store's clock, after which a node counts as dead and the others take its messages over. At least three renewals. All go by the lapse of the node in question, so it may differ from node to node.")
        Duration lapse,
    @Setting(
            key = "delay.liveness.clock-bound",
            defaultValue = "0.5s",
            min = "0.001s",
            description =
                "How far the node's clock may be from the store's; beyond it the node stops acting.")
        Duration clockBound) {
  /** What a node has whose operator says nothing. */
  public static final LivenessConfig DEFAULT = ConfigRecord.defaults(LivenessConfig.class);

  /** Throws {@link IllegalArgumentException} that names the property and the rule. */
  public LivenessConfig {
    ConfigRecord.check(LivenessConfig.class, renewInterval, lapse, clockBound);
    if (lapse.compareTo(renewInterval.multipliedBy(3)) < 0) {
      throw new IllegalArgumentException(
          "delay.liveness.lapse must be at least three renewals long, or one lost renewal makes a live node look dead");
    }
  }
}
