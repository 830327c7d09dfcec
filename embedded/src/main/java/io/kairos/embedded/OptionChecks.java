package io.kairos.embedded;

import static java.util.Objects.requireNonNull;

import com.sun.management.UnixOperatingSystemMXBean;
import io.kairos.embedded.EmbeddedStartException.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Defaults and checks of options; messages name the invalid one. */
final class OptionChecks {
  private static final int FEWEST_OPEN_FILES = 1_024;

  private OptionChecks() {}

  static void port(int port) {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be in [0, 65535], but is " + port);
    }
  }

  /** Copies the settings, and refuses those that the engine itself sets. */
  static Map<String, String> settings(Map<String, String> chosen, Set<String> ours, String engine) {
    for (String name : chosen.keySet()) {
      if (ours.contains(name)) {
        throw new IllegalArgumentException(
            "settings: '%s' is set by the embedded %s itself and cannot be changed"
                .formatted(name, engine));
      }
    }
    return Map.copyOf(chosen);
  }

  /** Reads the default settings of an engine from a file of this package. */
  static Map<String, String> defaults(String file) {
    Properties properties = new Properties();
    try (InputStream in = OptionChecks.class.getResourceAsStream(file)) {
      properties.load(requireNonNull(in, file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> defaults = new TreeMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> defaults.put(name, property(properties, name)));
    return defaults;
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

  /** Requires a limit of open files that an engine does not meet at once. */
  static void openFiles(String engine, long limit) {
    if (limit < FEWEST_OPEN_FILES) {
      throw new EmbeddedStartException(
          Problem.TOO_FEW_FILES,
          "The embedded %s needs %,d open files, and this process may open %,d: raise the limit (ulimit -n)."
              .formatted(engine, FEWEST_OPEN_FILES, limit));
    }
  }

  /** Returns the number of files that this process, and so its children, may open. */
  static long openFileLimit() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  /** Requires Unix, because child processes need signals, file permissions and the shell. */
  static void unix(String engine) {
    String system = systemProperty("os.name");
    if (!system.equals("Linux") && !system.startsWith("Mac")) {
      throw new EmbeddedStartException(
          Problem.PLATFORM_NOT_SUPPORTED,
          "The embedded %1$s runs on Linux and macOS, not on %2$s: use an external %1$s."
              .formatted(engine, system));
    }
  }
}
