package io.kairos.server.config;

import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.DurationText;
import io.kairos.engine.setting.ValueFormat;
import io.kairos.engine.setting.ValueFormats;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Formats of setting values that only a process has, in addition to the engine's. */
final class ConfigFormats {
  /** Fits into a long of nanoseconds, with room for sums. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  static final ValueFormats ALL =
      ValueFormats.BASIC.and(
          Map.of(
              Duration.class,
              new ValueFormat<>(
                  "duration",
                  "a duration such as 500ms, 5s, 1h30m or PT5S",
                  "0|" + DurationText.PATTERN,
                  ConfigFormats::duration) {
                @Override
                public String print(Duration length) {
                  return DurationText.of(length);
                }
              },
              Path.class,
              new ValueFormat<>("path", "a file or folder", ".+", Path::of),
              InetAddress.class,
              new ValueFormat<>(
                  "address",
                  "an IP address of this machine, such as 127.0.0.1, or localhost",
                  "",
                  text -> InetAddress.ofLiteral(text.equals("localhost") ? "127.0.0.1" : text)) {
                @Override
                public String print(InetAddress address) {
                  return address.getHostAddress();
                }
              },
              HandlerName.class,
              new ValueFormat<>(
                  "handler",
                  "a handler's name, which has "
                      + HandlerName.RULE
                      + " and does not begin with "
                      + TaskHandler.POOL_PREFIX,
                  "",
                  HandlerName::new),
              PoolName.class,
              new ValueFormat<>(
                  "pool", "a pool's name, which has " + PoolName.RULE, "", PoolName::new)));

  private ConfigFormats() {}

  private static Duration duration(String text) {
    Duration length = text.equals("0") ? Duration.ZERO : DurationText.parse(text);
    if (length.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(text + " is too long");
    }
    return length;
  }

  /** A Kafka topic's name. */
  static final class TopicFormat extends ValueFormat<String> {
    TopicFormat() {
      super(
          "topic",
          "a Kafka topic's name: letters, digits, dot, hyphen and underscore, at most 249",
          "(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}",
          text -> text);
    }
  }
}
