package io.kairos.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.config.GivenSetting;
import io.kairos.server.config.SettingOrigin;
import io.kairos.server.config.SettingSources;
import io.kairos.server.wiring.RunningNode;
import io.kairos.server.wiring.ServerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A node as users start it, without a broker, on a database of its own. */
final class RealNode implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(7);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Once<RealNode> SHARED =
      new Once<>(() -> new RealNode(leases("30s", "2s", "1600ms")));
  private static final Once<RealNode> WITH_SHORT_LEASES =
      new Once<>(() -> new RealNode(leases(LEASE.toSeconds() + "s", "1500ms", "1200ms")));

  private final String database = EmbeddedPostgres.shared().newDatabase();
  private final Map<String, String> settings;
  private RunningNode node;

  /** Starts it with these settings. */
  RealNode(Map<String, String> settings) {
    this.settings = settings;
    this.node = start("0");
  }

  /**
   * The one on which most cases run; it ends with the JVM. Its leases are long, so that no worker
   * loses one because the machine is busy.
   */
  static RealNode shared() {
    return SHARED.get();
  }

  /** The one for cases in which leases lapse: after {@link #LEASE}. */
  static RealNode withShortLeases() {
    return WITH_SHORT_LEASES.get();
  }

  private static Map<String, String> leases(String lease, String interval, String timeout) {
    return Map.of(
        "tasks.lease",
        lease,
        "tasks.heartbeat-interval",
        interval,
        "tasks.heartbeat-timeout",
        timeout);
  }

  private RunningNode start(String port) {
    List<GivenSetting> given = new ArrayList<>();
    given.add(given("http.port", port));
    given.add(given("kafka.bootstrap-servers", "none"));
    given.add(given("postgres.url", database));
    given.add(given("postgres.user", EmbeddedPostgres.shared().user()));
    given.add(given("postgres.password", EmbeddedPostgres.shared().password()));
    settings.forEach((key, value) -> given.add(given(key, value)));
    RunningNode started =
        RunningNode.start(ServerConfig.read(SettingSources.of(null, Map.of(), given)));
    assertThat(started.awaitReady(PATIENCE)).as("%s", started.obstacles()).isTrue();
    return started;
  }

  private static GivenSetting given(String key, String value) {
    return new GivenSetting(key, value, SettingOrigin.flag("--set"));
  }

  int port() {
    return node.places().httpPort();
  }

  String address() {
    return "127.0.0.1:" + port();
  }

  /** Ends, and begins on the same port and database. */
  void restart() {
    String port = Integer.toString(port());
    node.close();
    node = start(port);
  }

  @Override
  public void close() {
    node.close();
  }
}
