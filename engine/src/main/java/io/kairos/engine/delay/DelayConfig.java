package io.kairos.engine.delay;

import io.kairos.engine.node.LivenessConfig;
import java.time.Duration;

/**
 * Settings of the delay queue's steps. Every record checks itself, so that a node with
 * contradictory settings does not start; what it says names the keys by which an operator sets
 * them.
 */
public record DelayConfig(
    Firing firing, Claiming claiming, Intake intake, LivenessConfig liveness, Detection detection) {
  public DelayConfig {
    require(
        detection.holdTime().compareTo(firing.publishTimeout()) > 0,
        "delay.detection.hold-time must be longer than delay.firing.publish-timeout, or a slow"
            + " acknowledgement makes a live node look stuck");
    require(
        detection.holdTime().compareTo(liveness.lapse()) > 0,
        "delay.detection.hold-time must be longer than delay.liveness.lapse: it is the backstop,"
            + " liveness finds dead nodes first");
  }

  public static DelayConfig defaults() {
    return new DelayConfig(
        Firing.defaults(),
        Claiming.defaults(),
        Intake.defaults(),
        LivenessConfig.DEFAULT,
        Detection.defaults());
  }

  /** How much before its due time a message is fired (CH-36, CH-F1). */
  public sealed interface Advance {
    /** Follows the measured publish latency between zero and this bound. */
    record Adaptive(Duration atMost) implements Advance {
      public Adaptive {
        require(
            !atMost.isNegative() && atMost.toMillis() <= 1_000,
            "delay.firing.advance must lie between 0 and 1 s");
      }
    }

    /** Always this long. */
    record Fixed(Duration length) implements Advance {
      public Fixed {
        require(
            !length.isNegative() && length.toMillis() <= 60_000,
            "delay.firing.advance must lie between 0 and 60 s");
      }
    }
  }

  /**
   * How due messages are sent, and deleted afterwards.
   *
   * @param publishTimeout after which a send counts as failed; the publisher is built with the same
   *     value
   * @param laneBytes bytes in flight per output partition, so that a dead partition never blocks
   *     the others
   * @param settleLinger how long fired messages are gathered before they are deleted in one
   *     statement
   * @param settleBatch most messages deleted in one statement
   */
  public record Firing(
      Advance advance,
      Duration publishTimeout,
      long laneBytes,
      Duration settleLinger,
      int settleBatch) {
    public Firing {
      require(
          publishTimeout.toMillis() >= 100, "delay.firing.publish-timeout must be at least 100 ms");
      require(laneBytes >= 1, "delay.firing.lane-bytes must be at least 1");
      require(!settleLinger.isNegative(), "delay.firing.settle-linger must not be negative");
      require(
          settleBatch >= 1 && settleBatch <= 20_000,
          "delay.firing.settle-batch must be in [1, 20000]");
    }

    /** The publisher's own default, too. */
    public static final Duration DEFAULT_PUBLISH_TIMEOUT = Duration.ofSeconds(4);

    static Firing defaults() {
      return new Firing(
          new Advance.Adaptive(Duration.ofMillis(50)),
          DEFAULT_PUBLISH_TIMEOUT,
          4 << 20,
          Duration.ofMillis(20),
          2_000);
    }
  }

  /**
   * How waiting messages are claimed, and how many are kept in memory.
   *
   * @param pollInterval how often the store is asked for due messages (CH-38)
   * @param pollJitter most randomness added to each wait, so that nodes do not poll in step (CH-30)
   * @param horizon how far ahead of their due time messages are claimed and kept in memory; zero =
   *     claim when due
   * @param maxMessages most messages held in memory
   * @param maxBytes most bytes held in memory
   * @param batch most messages of one claim
   */
  public record Claiming(
      Duration pollInterval,
      Duration pollJitter,
      Duration horizon,
      int maxMessages,
      long maxBytes,
      int batch) {
    public Claiming {
      require(pollInterval.toMillis() >= 1, "delay.claiming.poll-interval must be at least 1 ms");
      require(!pollJitter.isNegative(), "delay.claiming.poll-jitter must not be negative");
      require(
          !horizon.isNegative() && horizon.toHours() <= 1,
          "delay.claiming.horizon must lie between 0 and 1 h: all of it is kept in memory");
      require(maxMessages >= 100, "delay.claiming.max-messages must be at least 100");
      require(maxBytes >= 1 << 20, "delay.claiming.max-bytes must be at least 1 MiB");
      require(batch >= 1 && batch <= 20_000, "delay.claiming.batch must be in [1, 20000]");
    }

    static Claiming defaults() {
      return new Claiming(
          Duration.ofMillis(100),
          Duration.ofMillis(20),
          Duration.ofSeconds(30),
          500_000,
          256L << 20,
          2_000);
    }
  }

  /**
   * How records are taken in.
   *
   * @param pollTimeout longest wait for records of one poll
   * @param maxPayloadBytes bound on key, value and headers of one record; larger ones are dead
   *     letters
   */
  public record Intake(Duration pollTimeout, long maxPayloadBytes) {
    public Intake {
      require(pollTimeout.toMillis() >= 1, "delay.intake.poll-timeout must be at least 1 ms");
      require(maxPayloadBytes >= 1, "delay.intake.max-payload-bytes must be at least 1");
    }

    static Intake defaults() {
      return new Intake(Duration.ofMillis(100), 1_000_000);
    }
  }

  /**
   * How dead nodes and stuck messages are found.
   *
   * @param holdTime how long a message may be ready before any node may take it back (CH-37), a
   *     lower bound (CH-35)
   * @param interval how often dead nodes and stuck messages are looked for (CH-39)
   * @param unknownOutcomeFor how long a call of the store that failed may still take effect; wiring
   *     derives it from the store's own bounds
   * @param batch most messages reset or taken over in one statement
   */
  public record Detection(
      Duration holdTime, Duration interval, Duration unknownOutcomeFor, int batch) {
    public Detection {
      require(holdTime.toMillis() >= 1, "delay.detection.hold-time must be at least 1 ms");
      require(interval.toMillis() >= 1, "delay.detection.interval must be at least 1 ms");
      require(
          unknownOutcomeFor.toMillis() >= 1, "the time of unknown outcome must be at least 1 ms");
      require(batch >= 1 && batch <= 20_000, "delay.detection.batch must be in [1, 20000]");
    }

    static Detection defaults() {
      return new Detection(
          Duration.ofSeconds(5), Duration.ofMillis(500), Duration.ofSeconds(10), 2_000);
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
