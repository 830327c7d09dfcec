package io.kairos.server.wiring;

import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.config.GivenSetting;
import io.kairos.server.config.SettingOrigin;
import io.kairos.server.config.SettingSources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Configurations of nodes on the engines that all tests of this JVM share. */
final class Configured {
  /** For what hangs: a node needs three seconds, of a machine that does nothing else. */
  static final Duration READY_WITHIN = Duration.ofSeconds(90);

  private Configured() {}

  /** On a database of its own. */
  static ServerConfig node(String... settings) {
    return on(EmbeddedPostgres.shared().newDatabase(), settings);
  }

  /** On this database; several nodes may share one. */
  static ServerConfig on(String database, String... settings) {
    List<GivenSetting> given = new ArrayList<>();
    Stream.of(
            "http.port=0",
            "kafka.bootstrap-servers=" + EmbeddedKafka.shared().bootstrapServers(),
            "postgres.url=" + database,
            "postgres.user=" + EmbeddedPostgres.shared().user(),
            "postgres.password=" + EmbeddedPostgres.shared().password())
        .forEach(setting -> given.add(flag(setting)));
    for (String setting : settings) {
      String key = setting.substring(0, setting.indexOf('='));
      given.removeIf(earlier -> earlier.key().equals(key));
      given.add(flag(setting));
    }
    return ServerConfig.read(SettingSources.of(null, Map.of(), given));
  }

  private static GivenSetting flag(String setting) {
    String[] parts = setting.split("=", 2);
    return new GivenSetting(parts[0], parts[1], new SettingOrigin.Flag("--set"));
  }
}
