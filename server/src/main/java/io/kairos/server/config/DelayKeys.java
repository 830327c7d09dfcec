package io.kairos.server.config;

import io.kairos.api.text.DurationText;
import io.kairos.engine.delay.DelayConfig;
import io.kairos.engine.delay.DelayConfig.Advance;
import io.kairos.engine.delay.DelayConfig.Claiming;
import io.kairos.engine.delay.DelayConfig.Detection;
import io.kairos.engine.delay.DelayConfig.Firing;
import io.kairos.engine.delay.DelayConfig.Intake;
import io.kairos.engine.node.LivenessConfig;
import java.time.Duration;
import java.util.Optional;

/** Reads the engine's settings of the delay queue. Their relations are the engine's to check. */
public final class DelayKeys {
  public static final String PUBLISH_TIMEOUT = "delay.firing.publish-timeout";
  public static final String STATEMENT_TIMEOUT = "postgres.statement-timeout";

  private static final String ADAPTIVE = "adaptive";
  private static final Duration ADAPTIVE_AT_MOST = Duration.ofMillis(50);
  private static final Kind<Advance> ADVANCE =
      new Kind<>(
          "adaptive or duration",
          "adaptive, or a duration from 0s to 60s such as 50ms",
          text ->
              text.equals(ADAPTIVE)
                  ? new Advance.Adaptive(ADAPTIVE_AT_MOST)
                  : new Advance.Fixed(Kind.DURATION.read(text)),
          advance ->
              switch (advance) {
                case Advance.Adaptive _ -> ADAPTIVE;
                case Advance.Fixed(Duration length) -> DurationText.of(length);
              });

  /** From this heap on the bounds of memory have their full default. */
  private static final long FULL_HEAP = 1L << 30;

  private static final int COUNT_MOST = 10_000_000;
  private static final int BATCH_MOST = 20_000;

  private DelayKeys() {}

  /**
   * Asks for every key below {@code delay} but the routes.
   *
   * @param unknownOutcomeFor how long a transaction of unknown outcome may still take effect, which
   *     follows from the bounds of the store
   * @param maxHeapBytes the virtual machine's bound: with less than 1 GiB the node holds less
   * @return empty when there are problems, which the settings know
   */
  public static Optional<DelayConfig> read(
      Settings settings, Duration unknownOutcomeFor, long maxHeapBytes) {
    DelayConfig defaults = DelayConfig.defaults();
    Optional<Firing> firing = firing(settings, defaults.firing());
    Optional<Claiming> claiming = claiming(settings, defaults.claiming(), maxHeapBytes);
    Optional<Intake> intake = intake(settings, defaults.intake());
    Optional<LivenessConfig> liveness = liveness(settings, defaults.liveness());
    Optional<Detection> detection = detection(settings, defaults.detection(), unknownOutcomeFor);
    if (firing.isEmpty()
        || claiming.isEmpty()
        || intake.isEmpty()
        || liveness.isEmpty()
        || detection.isEmpty()) {
      return Optional.empty();
    }
    return settings.build(() ->
        new DelayConfig(
            firing.get(), claiming.get(), intake.get(), liveness.get(), detection.get()));
  }

  /** By how much bounds of memory shrink on a heap of this size; at most 1. */
  static double shareOfFullHeap(long maxHeapBytes) {
    return Math.min(1, (double) maxHeapBytes / FULL_HEAP);
  }

  private static Optional<Firing> firing(Settings settings, Firing defaults) {
    Advance advance =
        settings.value(
            "delay.firing.advance",
            ADVANCE,
            defaults.advance(),
            "How long before its due time a message is sent, to pay for the way to the broker."
                + " Adaptive follows the measured publish latency, between 0 and 50 ms.");
    Duration publishTimeout =
        settings.value(
            PUBLISH_TIMEOUT,
            Kind.DURATION,
            defaults.publishTimeout(),
            "After this a send that the broker has not acknowledged counts as failed and is tried"
                + " again. Must be shorter than delay.detection.hold-time.");
    long laneBytes =
        settings.value(
            "delay.firing.lane-bytes",
            Kind.BYTES,
            defaults.laneBytes(),
            "Most bytes in flight to one output partition, so that a dead one does not delay the"
                + " others: less than kafka.output.buffer-bytes, better less than that divided by"
                + " the number of output partitions that may be dead together.");
    Duration settleLinger =
        settings.value(
            "delay.firing.settle-linger",
            Kind.DURATION,
            defaults.settleLinger(),
            "How long fired messages are gathered before one statement deletes them. Longer is"
                + " cheaper, and leaves more to be sent twice after a crash.");
    int settleBatch =
        settings.value(
            "delay.firing.settle-batch",
            Kind.number(1, BATCH_MOST),
            defaults.settleBatch(),
            "Most fired messages deleted by one statement.");
    return settings.build(
        () -> new Firing(advance, publishTimeout, laneBytes, settleLinger, settleBatch));
  }

  private static Optional<Claiming> claiming(
      Settings settings, Claiming defaults, long maxHeapBytes) {
    double share = shareOfFullHeap(maxHeapBytes);
    Duration pollInterval =
        settings.value(
            "delay.claiming.poll-interval",
            Kind.DURATION,
            defaults.pollInterval(),
            "How often the store is asked for messages that come due.");
    Duration pollJitter =
        settings.value(
            "delay.claiming.poll-jitter",
            Kind.DURATION,
            defaults.pollJitter(),
            "Most randomness added to each wait, so that nodes do not ask in step.");
    Duration horizon =
        settings.value(
            "delay.claiming.horizon",
            Kind.DURATION,
            defaults.horizon(),
            "How far ahead of their due time messages are claimed and kept in memory; 0s claims"
                + " them when they are due.");
    int maxMessages =
        settings.value(
            "delay.claiming.max-messages",
            Kind.number(1, COUNT_MOST),
            (int) (defaults.maxMessages() * share),
            "Most messages kept in memory. The default is for a heap of 1 GiB or more; with less it"
                + " shrinks in proportion.");
    long maxBytes =
        settings.value(
            "delay.claiming.max-bytes",
            Kind.BYTES,
            (long) (defaults.maxBytes() * share) >> 20 << 20,
            "Most bytes of messages kept in memory. The default is for a heap of 1 GiB or more;"
                + " with less it shrinks in proportion.");
    int batch =
        settings.value(
            "delay.claiming.batch",
            Kind.number(1, BATCH_MOST),
            defaults.batch(),
            "Most messages claimed by one statement.");
    return settings.build(
        () -> new Claiming(pollInterval, pollJitter, horizon, maxMessages, maxBytes, batch));
  }

  private static Optional<Intake> intake(Settings settings, Intake defaults) {
    Duration pollTimeout =
        settings.value(
            "delay.intake.poll-timeout",
            Kind.DURATION,
            defaults.pollTimeout(),
            "Longest wait for records of one poll.");
    long maxPayloadBytes =
        settings.value(
            "delay.intake.max-payload-bytes",
            Kind.BYTES,
            defaults.maxPayloadBytes(),
            "Most bytes of key, value and headers of one record; larger ones become dead letters.");
    return settings.build(() -> new Intake(pollTimeout, maxPayloadBytes));
  }

  private static Optional<LivenessConfig> liveness(Settings settings, LivenessConfig defaults) {
    Duration renewInterval =
        settings.value(
            "delay.liveness.renew-interval",
            Kind.DURATION,
            defaults.renewInterval(),
            "How often a node tells the store that it lives.");
    Duration lapse =
        settings.value(
            "delay.liveness.lapse",
            Kind.DURATION,
            defaults.lapse(),
            "Silence, by the store's clock, after which a node counts as dead and the others take"
                + " its messages over. At least three renewals. All go by the lapse of the node in"
                + " question, so it may differ from node to node.");
    Duration clockBound =
        settings.value(
            "delay.liveness.clock-bound",
            Kind.DURATION,
            defaults.clockBound(),
            "How far the node's clock may be from the store's; beyond it the node stops acting.");
    return settings.build(() -> new LivenessConfig(renewInterval, lapse, clockBound));
  }

  private static Optional<Detection> detection(
      Settings settings, Detection defaults, Duration unknownOutcomeFor) {
    Duration holdTime =
        settings.value(
            "delay.detection.hold-time",
            Kind.DURATION,
            defaults.holdTime(),
            "How long a message may be ready without being fired before any node may take it back,"
                + " after four times as long if its holder is alive: the backstop behind the nodes'"
                + " liveness.");
    Duration interval =
        settings.value(
            "delay.detection.interval",
            Kind.DURATION,
            defaults.interval(),
            "How often dead nodes and stuck messages are looked for.");
    int batch =
        settings.value(
            "delay.detection.batch",
            Kind.number(1, BATCH_MOST),
            defaults.batch(),
            "Most messages taken over or taken back by one statement.");
    return settings.build(() -> new Detection(holdTime, interval, unknownOutcomeFor, batch));
  }
}
