package io.kairos.engine.node;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.time.Duration;

/**
 * Settings of a node's liveness. The record validates itself, and its errors name the setting keys.
 */
public record LivenessConfig(
    @Setting(
            key = "node.liveness.renew-interval",
            defaultValue = "0.3s",
            min = "0.001s",
            description = "How often a node renews its liveness in the store.")
        Duration renewInterval,
    @Setting(
            key = "node.liveness.lapse",
            defaultValue = "1.5s",
            description =
                "Silence after which the other nodes declare a node dead and take over its messages and tasks, by the time that elapses on them. At least three renewals. Every node is judged by its own lapse, so the value may differ between nodes.")
        Duration lapse,
    @Setting(
            key = "node.liveness.clock-bound",
            defaultValue = "0.5s",
            min = "0.001s",
            description =
                "How far the node's clock may be from the store's; beyond it the node stops acting.")
        Duration clockBound) {
  /** All defaults. */
  public static final LivenessConfig DEFAULT = ConfigRecord.defaults(LivenessConfig.class);

  /** Throws {@link IllegalArgumentException} that names the key and the rule. */
  public LivenessConfig {
    ConfigRecord.check(LivenessConfig.class, renewInterval, lapse, clockBound);
    require(
        lapse.compareTo(renewInterval.multipliedBy(3)) >= 0,
        "node.liveness.lapse must be at least three renewals long, or one lost renewal makes a live node look dead");
  }
}
