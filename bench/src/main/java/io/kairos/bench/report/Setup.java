package io.kairos.bench.report;

import static java.util.Objects.requireNonNullElse;

import io.kairos.bench.measure.Machine;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** What every result says about the ground it stands on. */
public final class Setup {
  private Setup() {}

  /** Machine and version, for what needs nothing else. */
  public static Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>(Machine.facts());
    Package self = Setup.class.getPackage();
    String version = self == null ? null : self.getImplementationVersion();
    facts.put("kairos", version == null ? "not packaged" : version);
    return facts;
  }

  /**
   * Machine, versions and settings by name.
   *
   * @param postgres settings of the running Postgres
   * @param node how the nodes were run, in words
   */
  public static Map<String, Object> facts(
      Map<String, String> postgres, String postgresVersion, String node) {
    Map<String, Object> facts = facts();
    facts.put("kafka", kafkaVersion());
    facts.put("postgres", postgresVersion);
    facts.put("postgres settings", postgres);
    facts.put("node", node);
    facts.put(
        "broker", "one, acks=all, replication 1, flushes left to the system (Kafka's default)");
    return facts;
  }

  /** Of the clients on our class path, which is the broker's too. */
  private static String kafkaVersion() {
    try (InputStream in = Setup.class.getResourceAsStream("/kafka/kafka-version.properties")) {
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
