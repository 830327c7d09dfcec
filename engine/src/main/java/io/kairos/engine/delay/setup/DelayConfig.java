package io.kairos.engine.delay.setup;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.engine.node.LivenessConfig;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import io.kairos.engine.setting.ValueFormat;
import io.kairos.engine.setting.ValueFormats;
import java.time.Duration;

/**
 * Settings of the delay queue's steps. Every record validates itself, so that a node with
 * contradictory settings does not start; the error names the setting keys.
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
        "delay.detection.hold-time must be longer than node.liveness.lapse: it is the backstop,"
            + " liveness finds dead nodes first");
  }

  public static DelayConfig defaults() {
    return ConfigRecord.defaults(DelayConfig.class);
  }

  /** How long before its due time a message is sent. */
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

  /** {@code adaptive}, or a duration. */
  static final class AdvanceFormat extends ValueFormat<Advance> {
    private static final String ADAPTIVE = "adaptive";
    private static final Duration ADAPTIVE_AT_MOST = Duration.ofMillis(50);

    private final ValueFormat<Duration> durations;

    AdvanceFormat(ValueFormats formats) {
      super(
          "adaptive or duration",
          "adaptive, or a duration from 0s to 60s such as 50ms",
          alternatives(formats.durations().pattern()),
          text ->
              text.equals(ADAPTIVE)
                  ? new Advance.Adaptive(ADAPTIVE_AT_MOST)
                  : new Advance.Fixed(formats.durations().read(text)));
      this.durations = formats.durations();
    }

    private static String alternatives(String duration) {
      return duration.isEmpty() ? "" : ADAPTIVE + "|" + duration;
    }

    @Override
    public String print(Advance advance) {
      return switch (advance) {
        case Advance.Adaptive _ -> ADAPTIVE;
        case Advance.Fixed(Duration length) -> durations.print(length);
      };
    }
  }

  /** How due messages are sent, and deleted afterwards. */
  public record Firing(
      @Setting(
              key = "delay.firing.advance",
              defaultValue = "adaptive",
              format = AdvanceFormat.class,
              description =
                  "How long before its due time a message is sent, to pay for the way to the broker. Adaptive follows the measured publish latency, between 0 and 50 ms.")
          Advance advance,
      @Setting(
              key = "delay.firing.publish-timeout",
              defaultValue = PUBLISH_TIMEOUT,
              min = "0.1s",
              max = "10m",
              description =
                  "After this a send that the broker has not acknowledged counts as failed and is tried again. Must be shorter than delay.detection.hold-time.")
          Duration publishTimeout,
      @Setting(
              key = "delay.firing.lane-bytes",
              defaultValue = "4MiB",
              min = "1",
              format = ValueFormats.LongSize.class,
              description =
                  "Most bytes in flight to one output partition, so that a dead one does not delay the others: less than kafka.output.buffer-bytes, better less than that divided by the number of output partitions that may be dead together.")
          long laneBytes,
      @Setting(
              key = "delay.firing.settle-linger",
              defaultValue = "0.02s",
              description =
                  "How long fired messages are gathered before one statement deletes them. Longer is cheaper, and leaves more to be sent twice after a crash.")
          Duration settleLinger,
      @Setting(
              key = "delay.firing.settle-batch",
              defaultValue = "2000",
              min = "1",
              max = "20000",
              description = "Most fired messages deleted by one statement.")
          int settleBatch) {
    /** Default timeout of the engine and of the publisher. */
    public static final String PUBLISH_TIMEOUT = "4s";

    public Firing {
      ConfigRecord.check(
          Firing.class, advance, publishTimeout, laneBytes, settleLinger, settleBatch);
    }
  }

  /** How waiting messages are claimed, and how many are kept in memory. */
  public record Claiming(
      @Setting(
              key = "delay.claiming.poll-interval",
              defaultValue = "0.1s",
              min = "0.001s",
              description = "How often the store is asked for messages that come due.")
          Duration pollInterval,
      @Setting(
              key = "delay.claiming.poll-jitter",
              defaultValue = "0.02s",
              description = "Most randomness added to each wait, so that nodes do not ask in step.")
          Duration pollJitter,
      @Setting(
              key = "delay.claiming.horizon",
              defaultValue = "30s",
              max = "1h",
              otherwise = "too much is kept in memory",
              description =
                  "How far ahead of their due time messages are claimed and kept in memory; 0s claims them when they are due.")
          Duration horizon,
      @Setting(
              key = "delay.claiming.max-messages",
              defaultValue = "500000",
              min = "100",
              max = "10000000",
              shrinks = true,
              description = "Most messages kept in memory.")
          int maxMessages,
      @Setting(
              key = "delay.claiming.max-bytes",
              defaultValue = "256MiB",
              min = "1MiB",
              shrinks = true,
              format = ValueFormats.LongSize.class,
              description = "Most bytes of messages kept in memory.")
          long maxBytes,
      @Setting(
              key = "delay.claiming.batch",
              defaultValue = "2000",
              min = "1",
              max = "20000",
              description = "Most messages claimed by one statement.")
          int batch) {
    public Claiming {
      ConfigRecord.check(
          Claiming.class, pollInterval, pollJitter, horizon, maxMessages, maxBytes, batch);
    }
  }

  /** How records are taken in. */
  public record Intake(
      @Setting(
              key = "delay.intake.poll-timeout",
              defaultValue = "0.1s",
              min = "0.001s",
              description = "Longest wait for records of one poll.")
          Duration pollTimeout,
      @Setting(
              key = "delay.intake.max-payload-bytes",
              defaultValue = "1000000",
              min = "1",
              format = ValueFormats.LongSize.class,
              description =
                  "Most bytes of key, value and headers of one record; larger ones become dead letters.")
          long maxPayloadBytes,
      @Setting(
              key = "delay.intake.keep-letters-up-to",
              defaultValue = "0",
              max = "16MiB",
              format = ValueFormats.IntSize.class,
              description =
                  "Most bytes of key and value of a record that the store keeps whole for 30 days when its dead letter is too large for its topic; 0 keeps none. All together take at most 1 GiB.")
          int keepLettersUpTo) {
    public Intake {
      ConfigRecord.check(Intake.class, pollTimeout, maxPayloadBytes, keepLettersUpTo);
    }
  }

  /** How dead nodes and stuck messages are found. */
  public record Detection(
      @Setting(
              key = "delay.detection.hold-time",
              defaultValue = "5s",
              min = "0.001s",
              description =
                  "How long a message may be ready without being fired before any node may take it back, after four times as long if its holder is alive: the backstop behind the nodes' liveness.")
          Duration holdTime,
      @Setting(
              key = "delay.detection.interval",
              defaultValue = "0.5s",
              min = "0.001s",
              description = "How often dead nodes and stuck messages are looked for.")
          Duration interval,
      @Setting(
              defaultValue = "10s",
              min = "0.001s",
              description =
                  "How long a call of the store that failed may still take effect; wiring derives it from the store's own bounds.")
          Duration unknownOutcomeFor,
      @Setting(
              key = "delay.detection.batch",
              defaultValue = "2000",
              min = "1",
              max = "20000",
              description = "Most messages taken over or taken back by one statement.")
          int batch) {
    public Detection {
      ConfigRecord.check(Detection.class, holdTime, interval, unknownOutcomeFor, batch);
    }
  }
}
