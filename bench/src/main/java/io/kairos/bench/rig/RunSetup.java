package io.kairos.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import com.sun.management.OperatingSystemMXBean;
import io.kairos.bench.measure.FileLines;
import io.kairos.bench.measure.StoreFigures;
import io.kairos.bench.report.FigureList;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/** The setup that every result names: machine, versions and settings. */
public final class RunSetup {
  private RunSetup() {}

  /** Machine and version, for runs without a rig. */
  public static FigureList machine() {
    OperatingSystemMXBean system =
        requireNonNull(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class));
    return new FigureList()
        .fact("cores", system.getAvailableProcessors())
        .fact("processor", processor())
        .fact("memory", Math.round(system.getTotalMemorySize() / 0x1p30) + " GiB")
        .fact("kernel", system.getName() + " " + system.getVersion())
        .fact("load average", system.getSystemLoadAverage())
        .fact("java", System.getProperty("java.vm.name") + " " + Runtime.version())
        .fact("kairos", versionOf(RunSetup.class));
  }

  /** The version that the jar of a class names. */
  public static String versionOf(Class<?> packaged) {
    Package self = packaged.getPackage();
    String version = self == null ? null : self.getImplementationVersion();
    return requireNonNullElse(version, "not packaged");
  }

  private static String processor() {
    return FileLines.of(Path.of("/proc/cpuinfo"), UTF_8).stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  /**
   * Machine, versions and settings.
   *
   * @param nodes how the nodes are run, in words
   */
  static FigureList of(BenchRig rig, String nodes) throws SQLException {
    Connection connection = rig.connect();
    return machine()
        .fact("kafka", kafkaVersion())
        .fact("postgres", connection.getMetaData().getDatabaseProductVersion())
        .row("postgres settings")
        .note(StoreFigures.settings(connection).toString())
        .only("postgres settings", StoreFigures.settings(connection))
        .fact("nodes", nodes)
        .fact(
            "broker",
            rig.hasBroker()
                ? "one, acks=all, replication 1, flushes left to the system (Kafka's default)"
                : "none");
  }

  /** Version of the Kafka clients on the class path, which is the broker's too. */
  private static String kafkaVersion() {
    Properties properties = new Properties();
    try (InputStream in = RunSetup.class.getResourceAsStream("/kafka/kafka-version.properties")) {
      properties.load(requireNonNull(in));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot tell the version of Kafka", e);
    }
    return requireNonNullElse(properties.getProperty("version"), "unknown");
  }
}
