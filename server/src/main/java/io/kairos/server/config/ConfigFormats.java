package io.kairos.server.config;

import io.kairos.api.text.DurationText;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.PoolName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.setting.ValueFormat;
import io.kairos.engine.setting.ValueFormats;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** How values are read that only a process has, beside those that the engine knows. */
final class ConfigFormats {
  static final ValueFormats ALL =
      ValueFormats.BASIC.and(
          Map.of(
              Duration.class, new DurationFormat(),
              Path.class, new PathFormat(),
              InetAddress.class, new AddressFormat(),
              HandlerName.class, new HandlerFormat(),
              PoolName.class, new PoolFormat()));

  private ConfigFormats() {}

  private static final class DurationFormat extends ValueFormat<Duration> {
    /** What nanoseconds in a long can hold, with room for sums. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    DurationFormat() {
      super(
          "duration",
          "a duration such as 500ms, 5s, 2m or PT5S",
          "0|[pP].+|[0-9]+(\\.[0-9]{1,9}s|us|ms|s|m|h|d)");
    }

    @Override
    protected Duration parse(String text) {
      Duration length = text.equals("0") ? Duration.ZERO : DurationText.parse(text);
      if (length.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(text + " is too long");
      }
      return length;
    }

    @Override
    public String print(Duration length) {
      return DurationText.of(length);
    }
  }

  private static final class PathFormat extends ValueFormat<Path> {
    PathFormat() {
      super("path", "a file or folder", ".+");
    }

    @Override
    protected Path parse(String text) {
      return Path.of(text);
    }
  }

  private static final class AddressFormat extends ValueFormat<InetAddress> {
    AddressFormat() {
      super("address", "an IP address of this machine, such as 127.0.0.1, or localhost", "");
    }

    @Override
    protected InetAddress parse(String text) {
      return InetAddress.ofLiteral(text.equals("localhost") ? "127.0.0.1" : text);
    }

    @Override
    public String print(InetAddress address) {
      return address.getHostAddress();
    }
  }

  private static final class HandlerFormat extends ValueFormat<HandlerName> {
    HandlerFormat() {
      super(
          "handler",
          "a handler's name, which has "
              + HandlerName.RULE
              + " and does not begin with "
              + TaskHandler.POOL_PREFIX,
          "");
    }

    @Override
    protected HandlerName parse(String text) {
      return new HandlerName(text);
    }

    @Override
    public String print(HandlerName handler) {
      return handler.value();
    }
  }

  private static final class PoolFormat extends ValueFormat<PoolName> {
    PoolFormat() {
      super("pool", "a pool's name, which has " + PoolName.RULE, "");
    }

    @Override
    protected PoolName parse(String text) {
      return new PoolName(text);
    }

    @Override
    public String print(PoolName pool) {
      return pool.value();
    }
  }

  /** A Kafka topic's name. */
  static final class TopicFormat extends ValueFormat<String> {
    TopicFormat() {
      super(
          "topic",
          "a Kafka topic's name: letters, digits, dot, hyphen and underscore, at most 249",
          "(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");
    }

    @Override
    protected String parse(String text) {
      return text;
    }
  }

  /** The hash of a caller's token, in lower case. */
  static final class TokenHashFormat extends ValueFormat<String> {
    TokenHashFormat() {
      super(
          "SHA-256", "the SHA-256 of the caller's token, 64 hexadecimal digits", "[0-9a-fA-F]{64}");
    }

    @Override
    protected String parse(String text) {
      return text.toLowerCase(Locale.ROOT);
    }
  }
}
