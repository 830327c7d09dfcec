package io.kairos.embedded;

import io.kairos.embedded.EmbeddedStartException.Problem;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Checks of options; messages name the invalid one. */
final class OptionChecks {
  private OptionChecks() {}

  static void port(int port, String name) {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException(name + " must be in [0, 65535], but is " + port);
    }
  }

  static String systemProperty(String name) {
    return present(System.getProperty(name), "the system property " + name);
  }

  static String property(Properties properties, String name) {
    return present(properties.getProperty(name), "the property " + name);
  }

  private static String present(@Nullable String value, String name) {
    if (value == null) {
      throw new IllegalStateException(name + " is missing");
    }
    return value;
  }

  /** Requires Unix, because child processes need signals, file permissions and the shell. */
  static void unix(String engine) {
    String system = systemProperty("os.name");
    if (!system.equals("Linux") && !system.startsWith("Mac")) {
      throw new EmbeddedStartException(
          Problem.PLATFORM_NOT_SUPPORTED,
          "The embedded "
              + engine
              + " runs on Linux and macOS, not on "
              + system
              + ": use an external "
              + engine
              + ".");
    }
  }

  static void positive(Duration duration, String name) {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException(name + " must be longer than 0, but is " + duration);
    }
  }
}
