package io.kairos.engine.cron;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.time.Duration;

/**
 * Whether the ticks of a cluster have a time, and the limits on the clocks that make it. The state
 * depends on {@code mode} and {@code epsilon}, so they are the same on all replicas and stay for
 * the life of the cluster; the other limits are only for warnings.
 */
public record AgreedTimeConfig(
    @Setting(
            key = MODE,
            defaultValue = "on",
            description =
                "Whether replicas agree on a time. Without it nothing that is due by time happens; entries count requests and run modules. The same for all replicas, and fixed for the life of the cluster.")
        Mode mode,
    @Setting(
            key = SOFT_LIMIT,
            defaultValue = "500ms",
            min = "1ms",
            description =
                "A replica's clock that differs by more from the own one is logged and counted as soft.")
        Duration soft,
    @Setting(
            key = HARD_LIMIT,
            defaultValue = "3s",
            min = "1ms",
            description =
                "A replica's clock that differs by more from the own one is counted as hard. It is not refused: a majority of clocks outvotes it.")
        Duration hard,
    @Setting(
            key = EPSILON,
            defaultValue = "1ms",
            min = "1ms",
            max = "1s",
            description =
                "Rise of the agreed time at a tick to which no clock gives a later one, in whole milliseconds. The same for all replicas, and fixed for the life of the cluster.")
        Duration epsilon) {
  public static final String MODE = "replica.time";
  public static final String EPSILON = "replica.clock.epsilon";
  private static final String SOFT_LIMIT = "replica.clock.soft-limit";
  private static final String HARD_LIMIT = "replica.clock.hard-limit";

  /** Whether there is agreed time. */
  public enum Mode {
    ON,
    OFF
  }

  /** Throws {@link IllegalArgumentException} that names the setting. */
  public AgreedTimeConfig {
    ConfigRecord.check(AgreedTimeConfig.class, mode, soft, hard, epsilon);
    require(hard.compareTo(soft) >= 0, HARD_LIMIT + " must not be below " + SOFT_LIMIT);
    require(
        epsilon.equals(Duration.ofMillis(epsilon.toMillis())),
        EPSILON + " must be whole milliseconds, not ",
        epsilon);
  }

  /** True if ticks have a time. */
  public boolean isOn() {
    return mode == Mode.ON;
  }

  public ClockLimits limits() {
    return new ClockLimits(soft, hard, epsilon);
  }
}
