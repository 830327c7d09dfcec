package io.kairos.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.embedded.EmbeddedKafka;
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

/** Nodes as a user would start them, but on free ports. */
final class ExampleNode {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private ExampleNode() {}

  /** Ready, with these settings. */
  static RunningNode start(Map<String, String> settings) {
    List<GivenSetting> given = new ArrayList<>();
    given.add(given("http.port", "0"));
    settings.forEach((key, value) -> given.add(given(key, value)));
    RunningNode node =
        RunningNode.start(ServerConfig.read(SettingSources.of(null, Map.of(), given)));
    assertThat(node.awaitReady(PATIENCE)).as("%s", node.obstacles()).isTrue();
    return node;
  }

  /** Ready, on the broker that the tests share, with this database of their Postgres. */
  static RunningNode on(String postgresUrl) {
    return start(
        Map.of(
            "kafka.bootstrap-servers",
            EmbeddedKafka.shared().bootstrapServers(),
            "postgres.url",
            postgresUrl,
            "postgres.user",
            EmbeddedPostgres.shared().user(),
            "postgres.password",
            EmbeddedPostgres.shared().password()));
  }

  private static GivenSetting given(String key, String value) {
    return new GivenSetting(key, value, SettingOrigin.flag("--set"));
  }
}
