package io.kairos.simulator.kernel;

import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.node.LivenessConfig;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The parameters of one simulation, drawn from its seed: the configuration of the nodes, and the
 * latencies of store and broker.
 *
 * @param maxPollRecords bound on one poll of the input
 * @param burst true when many messages are due in the same second
 * @param storeMicros typical time of one store call
 */
public record ClusterScenario(
    DelayConfig config, int maxPollRecords, boolean burst, int storeMicros, int publishMicros) {
  public static final int NODES = 3;

  /** Time at which faults end and the cluster is healed. */
  public static final Duration HEAL_AT = Duration.ofMinutes(4);

  /** Time from which everything must be on time. */
  public static final Duration CALM_AT = Duration.ofSeconds(266);

  public static final Duration END_AT = Duration.ofMinutes(5);

  /** Records beyond it are refused at the output, so it is smaller than what the intake takes. */
  public static final int MAX_RECORD_BYTES = 2_000;

  static final int MAX_PAYLOAD_BYTES = 4_000;

  static ClusterScenario draw(SplittableRandom random) {
    Duration[] horizons = {Duration.ZERO, Duration.ofSeconds(5), Duration.ofSeconds(30)};
    Duration publishTimeout = Duration.ofMillis(random.nextInt(1_500, 4_000));
    Duration renewal = Duration.ofMillis(random.nextInt(400, 800));
    DelayConfig.Firing firing =
        new DelayConfig.Firing(
            random.nextInt(3) == 0
                ? new DelayConfig.Advance.Fixed(Duration.ofMillis(random.nextInt(2) * 50L))
                : new DelayConfig.Advance.Adaptive(Duration.ofMillis(50)),
            publishTimeout,
            random.nextInt(3) == 0 ? 800 : 1 << 20,
            Duration.ofMillis(random.nextInt(50, 300)),
            random.nextInt(3) == 0 ? random.nextInt(1, 5) : 100);
    DelayConfig.Claiming claiming =
        new DelayConfig.Claiming(
            Duration.ofMillis(random.nextInt(300, 900)),
            Duration.ofMillis(random.nextInt(60)),
            horizons[random.nextInt(horizons.length)],
            random.nextInt(2) == 0 ? 100 : 1_000,
            1 << 20,
            random.nextInt(2) == 0 ? random.nextInt(1, 8) : 200);
    LivenessConfig liveness =
        new LivenessConfig(
            renewal,
            renewal.multipliedBy(3).plusMillis(random.nextInt(800)),
            Duration.ofMillis(500));
    DelayConfig.Detection detection =
        new DelayConfig.Detection(
            Duration.ofMillis(random.nextInt(4_500, 7_000)),
            Duration.ofMillis(random.nextInt(500, 1_200)),
            Duration.ofMillis(random.nextInt(2_000, 4_000)),
            random.nextInt(2) == 0 ? random.nextInt(1, 8) : 200);
    DelayConfig.Intake intake =
        new DelayConfig.Intake(Duration.ofMillis(random.nextInt(500, 1_000)), MAX_PAYLOAD_BYTES, 0);
    return new ClusterScenario(
        new DelayConfig(firing, claiming, intake, liveness, detection),
        random.nextInt(2) == 0 ? random.nextInt(1, 6) : 100,
        random.nextInt(3) == 0,
        random.nextInt(200, 3_000),
        random.nextInt(500, 8_000));
  }

  /** The longest timing advance. */
  public long advanceMicros() {
    Duration longest =
        switch (config.firing().advance()) {
          case DelayConfig.Advance.Adaptive(Duration atMost) -> atMost;
          case DelayConfig.Advance.Fixed(Duration length) -> length;
        };
    return longest.toNanos() / 1_000;
  }

  public long clockBoundMicros() {
    return config.liveness().clockBound().toNanos() / 1_000;
  }

  public long lapseNanos() {
    return config.liveness().lapse().toNanos();
  }

  /** Longest wait of an amendment for its decision when nothing is wrong. */
  public long decideMicros() {
    return config.claiming().pollInterval().plusMillis(300).toNanos() / 1_000;
  }

  /**
   * Greatest lateness of a message when nothing is wrong: claimed when due, or fired from memory.
   */
  public long lateMicros() {
    boolean fromMemory = !config.claiming().horizon().isZero();
    Duration poll = config.claiming().pollInterval().plus(config.claiming().pollJitter());
    return (fromMemory ? Duration.ofMillis(60) : poll.plusMillis(120)).toNanos() / 1_000;
  }
}
