package io.kairos.bench.rig;

import static java.util.Objects.requireNonNullElse;

import io.kairos.bench.measure.MachineFacts;
import io.kairos.bench.measure.StoreFigures;
import io.kairos.bench.report.FigureList;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;

/** The setup that every result names: machine, versions and settings. */
public final class RunSetup {
  private RunSetup() {}

  /** Machine and version, for runs without a rig. */
  public static FigureList machine() {
    FigureList facts = new FigureList();
    MachineFacts.facts().forEach(facts::fact);
    Package self = RunSetup.class.getPackage();
    String version = self == null ? null : self.getImplementationVersion();
    return facts.fact("kairos", requireNonNullElse(version, "not packaged"));
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
            "broker", "one, acks=all, replication 1, flushes left to the system (Kafka's default)");
  }

  /** Version of the Kafka clients on the class path, which is the broker's too. */
  private static String kafkaVersion() {
    try (InputStream in = RunSetup.class.getResourceAsStream("/kafka/kafka-version.properties")) {
      Properties properties = new Properties();
      if (in != null) {
        properties.load(in);
      }
      return requireNonNullElse(properties.getProperty("version"), "unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
