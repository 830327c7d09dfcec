package io.kairos.embedded;

import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Checks of what comes from outside; the message names the culprit. */
final class Require {
  private Require() {}

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

  static void positive(Duration duration, String name) {
    if (!duration.isPositive()) {
      throw new IllegalArgumentException(name + " must be longer than 0, but is " + duration);
    }
  }
}
