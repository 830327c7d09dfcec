package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.wiring.command.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * {@code kairos server} where it must not start: one sentence on standard error that names the key,
 * the value and the remedy, and an exit code. By the command line as in production, but in this
 * process, because an own one proves nothing more.
 */
@Timeout(180)
class RefusalTest {
  private final StringWriter errors = new StringWriter();
  private final String run = UUID.randomUUID().toString().substring(0, 8);

  @TempDir private Path folder;

  /** The command has pointed the log at standard output. */
  @AfterEach
  void restoreLog() {
    TestLog.restore();
  }

  private int server(List<String> settings) {
    return kairos(List.of("server"), settings);
  }

  private int kairos(List<String> name, List<String> settings) {
    List<String> words = new ArrayList<>(name);
    settings.forEach(setting -> words.addAll(List.of("--set", setting)));
    CommandLine command = Main.commandLine().setErr(new PrintWriter(errors));
    return command.execute(words.toArray(String[]::new));
  }

  /** On the shared engines. */
  private List<String> on(String database, String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "http.port=0",
                "kafka.bootstrap-servers=" + EmbeddedKafka.shared().bootstrapServers(),
                "postgres.url=" + database,
                "postgres.user=" + EmbeddedPostgres.shared().user(),
                "postgres.password=" + EmbeddedPostgres.shared().password(),
                "delay.routes.default.input=" + run + ".in",
                "delay.routes.default.output=" + run + ".out",
                "delay.routes.default.dead-letter-topic=" + run + ".dead"));
    for (String setting : more) {
      String key = setting.substring(0, setting.indexOf('=') + 1);
      settings.removeIf(earlier -> earlier.startsWith(key));
      settings.add(setting);
    }
    return settings;
  }

  private List<String> settings(String... more) {
    return on(EmbeddedPostgres.shared().newDatabase(), more);
  }

  private String errors() {
    return errors.toString();
  }

  @Test
  void an_unknown_key_is_refused_with_what_was_meant() {
    assertThat(server(List.of("delay.hold-time=5s"))).isEqualTo(ExitCode.UNUSABLE);
    assertThat(errors())
        .startsWith("kairos: ")
        .contains("delay.hold-time", "did you mean delay.detection.hold-time?");
  }

  @Test
  void a_route_of_a_node_without_a_broker_is_refused_with_what_to_do() {
    assertThat(server(List.of("kafka=none", "delay.routes.orders.input=orders.in")))
        .isEqualTo(ExitCode.UNUSABLE);
    assertThat(errors())
        .contains("delay.routes.orders.input: this is for a node with a broker")
        .contains("name the brokers there, or embedded, or remove this")
        .contains("kafka.bootstrap-servers is none, flag --set");
  }

  @Test
  void ch37_a_hold_time_not_longer_than_the_publish_timeout_is_refused_with_both_values() {
    assertThat(server(List.of("delay.detection.hold-time=4s"))).isEqualTo(ExitCode.UNUSABLE);
    assertThat(errors())
        .contains("delay.detection.hold-time must be longer than delay.firing.publish-timeout")
        .contains("delay.detection.hold-time is 4s, flag --set")
        .contains("delay.firing.publish-timeout is 4s, default");
  }

  @Test
  void half_a_pair_of_tls_is_refused_with_the_other_key() {
    assertThat(server(List.of("http.tls.certificate=tls.crt"))).isEqualTo(ExitCode.UNUSABLE);
    assertThat(errors())
        .contains("http.tls.key is missing")
        .contains("with both http.tls.certificate and http.tls.key, or not at all");
  }

  @Test
  void a_certificate_that_cannot_be_read_is_named_with_its_key() {
    assertThat(
            server(settings("http.port=0", "http.tls.certificate=no.crt", "http.tls.key=no.key")))
        .isEqualTo(ExitCode.FAILED);
    assertThat(errors()).contains("http.tls.certificate: the file no.crt cannot be read");
  }

  @Test
  void a_taken_http_port_is_named_with_its_key() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(server(settings("http.port=" + taken.getLocalPort()))).isEqualTo(ExitCode.FAILED);
      assertThat(errors()).contains("port " + taken.getLocalPort(), "http.port");
    }
  }

  @Test
  void a_taken_port_of_an_embedded_engine_is_named_with_its_key() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      assertThat(
              server(
                  List.of(
                      "http.port=0",
                      "node.data-dir=" + folder,
                      "kafka.port=" + port,
                      "postgres.port=" + port)))
          .isEqualTo(ExitCode.FAILED);
      assertThat(errors()).contains(port).containsPattern("The key is (kafka|postgres)\\.port\\.");
    }
  }

  @Test
  void an_older_schema_that_the_node_may_not_change_is_refused_with_the_command_that_may() {
    List<String> settings = settings("postgres.migrate=off");
    List<String> migrate = List.of("schema", "migrate");

    assertThat(server(settings)).isEqualTo(ExitCode.FAILED);
    assertThat(errors())
        .contains("the schema of the database is empty", "postgres.migrate is off")
        .contains("run \"kairos schema migrate\"");
    assertThat(kairos(migrate, settings)).isEqualTo(ExitCode.OK);
    assertThat(kairos(migrate, settings)).as("again").isEqualTo(ExitCode.OK);
    assertThat(kairos(migrate, List.of())).isEqualTo(ExitCode.FAILED);
    assertThat(errors()).contains("postgres.url names none");
  }

  @Test
  void a_store_without_durability_is_refused_with_the_setting() throws SQLException {
    String database = EmbeddedPostgres.shared().newDatabase();
    try (Connection connection =
            DriverManager.getConnection(
                database, EmbeddedPostgres.shared().user(), EmbeddedPostgres.shared().password());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "alter database \"" + connection.getCatalog() + "\" set synchronous_commit = off");
    }

    assertThat(server(on(database))).isEqualTo(ExitCode.FAILED);
    assertThat(errors())
        .contains("Refusing to start")
        .contains("synchronous_commit = off", "postgres.allow-unsafe-durability");
  }

  @Test
  void a_missing_topic_that_may_not_be_created_is_named_with_what_to_do() {
    assertThat(server(settings("kafka.topics.create=false"))).isEqualTo(ExitCode.FAILED);
    assertThat(errors())
        .contains(run + ".in", run + ".out", run + ".dead")
        .contains("kafka.topics.create");
  }
}
