package io.kairos.server.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.client.handler.Handler;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.config.GivenSetting;
import io.kairos.server.config.SettingOrigin;
import io.kairos.server.config.SettingSources;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Configurations of nodes on the engines that all tests of this JVM share. */
final class Configured {
  /** For what hangs: a node needs three seconds, of a machine that does nothing else. */
  static final Duration READY_WITHIN = Duration.ofSeconds(90);

  private Configured() {}

  /** A node that is ready, on a database of its own. */
  static RunningNode started(String... settings) {
    return ready(RunningNode.start(node(settings)));
  }

  /** A node that is ready, on this database. */
  static RunningNode startedOn(String database, String... settings) {
    return ready(RunningNode.start(on(database, settings)));
  }

  /** A node that is ready, through every door. */
  static RunningNode ready(RunningNode node) {
    if (!node.awaitReady(READY_WITHIN)) {
      node.close();
      throw new AssertionError("not ready: " + node.obstacles());
    }
    return node;
  }

  static String address(RunningNode node) {
    return "127.0.0.1:" + node.places().httpPort();
  }

  /** Settings of the only route, whose topics begin with the name of the run. */
  static String[] route(String run, String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "delay.routes.only.input=" + run + ".in",
                "delay.routes.only.output=" + run + ".out",
                "delay.routes.only.dead-letter-topic=" + run + ".dead"));
    for (String setting : more) {
      settings.add("delay.routes.only." + setting);
    }
    return settings.toArray(String[]::new);
  }

  /**
   * Settings of a caller with this token.
   *
   * @param roles separated by commas
   */
  static List<String> caller(String name, String token, String roles) {
    return List.of(
        "http.callers." + name + ".token-sha256=" + sha256(token),
        "http.callers." + name + ".roles=" + roles);
  }

  /** In hexadecimal digits. */
  static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** On a database of its own. */
  static ServerConfig node(String... settings) {
    return on(EmbeddedPostgres.shared().newDatabase(), settings);
  }

  /** On this database; several nodes may share one. */
  static ServerConfig on(String database, String... settings) {
    return withBrokers(EmbeddedKafka.shared().bootstrapServers(), database, settings);
  }

  /** On this database and these brokers. */
  static ServerConfig withBrokers(String brokers, String database, String... settings) {
    return withoutBroker(
        database,
        Stream.concat(Stream.of("kafka.bootstrap-servers=" + brokers), Stream.of(settings))
            .toArray(String[]::new));
  }

  /** On this database, with no word of brokers. */
  static ServerConfig withoutBroker(String database, String... settings) {
    List<GivenSetting> given = new ArrayList<>();
    Stream.of(
            "http.port=0",
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

  /** A worker that performs the tasks of one handler until it is closed. */
  static <T> Worker worker(
      String address, String handler, PayloadCodec<T> codec, Handler<? super T> code) {
    Worker worker = Worker.connect(address).handle(handler, codec, code);
    worker.start();
    return worker;
  }

  /** These settings, {@code key=value} each, as flags. */
  static SettingSources flags(String... settings) {
    return SettingSources.of(null, Map.of(), Stream.of(settings).map(Configured::flag).toList());
  }

  private static GivenSetting flag(String setting) {
    String[] parts = setting.split("=", 2);
    return new GivenSetting(parts[0], parts[1], SettingOrigin.flag("--set"));
  }
}
