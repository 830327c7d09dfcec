package io.kairos.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.embedded.PostgresOptions;
import io.kairos.engine.node.StoreUnavailable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * PD-8: a standby is promoted, and the old primary comes back. A copy of a stopped server's data
 * with {@code standby.signal} is a standby that lags and may be promoted.
 */
final class FailoverTest {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(3);
  private static final int MORE_THAN_CONNECTIONS = 200;
  private static final String ROUTES = "select count(*) from route";
  private static final String SESSIONS =
      "select count(*) from pg_stat_activity where application_name = 'kairos'";

  @TempDir Path directory;

  @Test
  void pd8_an_old_primary_that_comes_back_is_not_written_to() throws Exception {
    try (EmbeddedPostgres old = start("old", Map.of())) {
      PostgresStores.open(config(old)).close();
      old.kill();
      try (EmbeddedPostgres standby = standbyOf("old")) {
        old.restart();
        PostgresConfig both = config(old, standby);
        try (PostgresStores stores = PostgresStores.open(both)) {
          assertThat(stores.messages().route("before").value()).isEqualTo(1);

          old.kill();
          run(standby, "select pg_promote()");
          comesBack(() -> stores.messages().route("after"));
          old.restart();
          run(
              standby,
              "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'kairos'");
          comesBack(() -> stores.messages().route("later"));
          comesBack(() -> stores.liveness().time());

          assertNoSessions(old);
          assertThat(number(old, ROUTES)).isEqualTo(1);
          assertThat(number(standby, ROUTES)).isEqualTo(2);
        }
        try (PostgresStores restarted = PostgresStores.open(both)) {
          restarted.messages().route("restarted");
        }
        assertThat(number(old, ROUTES)).isEqualTo(1);
        assertThat(number(standby, ROUTES)).isEqualTo(3);
        refusesOnceItHasSeen(standby, old);
      }
    }
  }

  /** With one address for whichever server is the primary, as a proxy has. */
  private static void refusesOnceItHasSeen(EmbeddedPostgres latest, EmbeddedPostgres old)
      throws SQLException {
    ServerTimelines timelines = new ServerTimelines();
    Connection before = ConnectionSource.forStatements(config(old), timelines).getConnection();
    ConnectionSource.forStatements(config(latest), timelines).getConnection().close();

    assertThat(before.isClosed()).as("also one that no pool has yet").isTrue();
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> ConnectionSource.forStatements(config(old), timelines).getConnection())
        .withMessageContaining("old primary on timeline 1, and timeline 2 was seen")
        .withMessageContaining("pg_rewind");
  }

  @Test
  void a_standby_is_unavailable_until_it_is_promoted() throws Exception {
    try (EmbeddedPostgres old = start("old", Map.of())) {
      PostgresStores.open(config(old)).close();
      old.kill();
      try (EmbeddedPostgres standby = standbyOf("old")) {
        assertThatExceptionOfType(StoreUnavailable.class)
            .isThrownBy(() -> PostgresStores.open(config(standby)))
            .withMessageContaining("is a standby");
        assertThatExceptionOfType(StoreUnavailable.class)
            .isThrownBy(() -> PostgresStores.open(config(old, standby)))
            .withMessageContaining("no server of postgres.url is a primary")
            .withMessageContaining("is a standby")
            .withMessageContaining("refused");

        run(standby, "select pg_promote()");
        try (PostgresStores stores = PostgresStores.open(config(old, standby))) {
          assertThat(stores.messages().route("after").value()).isEqualTo(1);
        }
      }
    }
  }

  /** So an old primary acknowledges nothing to a node that has never seen the new one. */
  @Test
  void pd8_a_commit_that_no_standby_confirms_is_not_acknowledged() throws Exception {
    try (EmbeddedPostgres alone = start("alone", Map.of())) {
      PostgresStores.open(config(alone)).close();
      run(alone, "alter system set synchronous_standby_names = 'ANY 1 (b, c)'");
      // A reload reaches the server's processes one after the other, so a commit may pass before.
      alone.kill();
      alone.restart();

      try (PostgresStores stores = PostgresStores.open(config(alone))) {
        assertThatExceptionOfType(StoreUnavailable.class)
            .isThrownBy(() -> stores.messages().route("in-to-out"));
        assertThat(number(alone, ROUTES)).isZero();
      }
    }
  }

  @Test
  void standbys_that_no_commit_waits_for_are_warned_of_whenever_that_becomes_so() throws Exception {
    try (EmbeddedPostgres primary = start("primary", Map.of());
        LogLines lines = new LogLines(ServerTimelines.class)) {
      PostgresStores.open(config(primary)).close();
      assertThat(lines.warnings()).isEmpty();

      run(primary, "select pg_create_physical_replication_slot('b')");
      ConnectionSource source =
          ConnectionSource.forStatements(config(primary), new ServerTimelines());
      source.getConnection().close();
      source.getConnection().close();

      assertThat(lines.warnings())
          .singleElement()
          .asString()
          .contains("synchronous_standby_names is empty");

      run(primary, "select pg_drop_replication_slot('b')");
      source.getConnection().close();
      run(primary, "select pg_create_physical_replication_slot('b')");
      source.getConnection().close();
      assertThat(lines.warnings()).as("the state has changed twice").hasSize(2);
    }
  }

  private EmbeddedPostgres start(String name, Map<String, String> settings) {
    return EmbeddedPostgres.start(
        PostgresOptions.in(directory.resolve(name)).withSettings(settings));
  }

  private EmbeddedPostgres standbyOf(String name) throws IOException, InterruptedException {
    Path copy = directory.resolve("standby");
    Process copying =
        new ProcessBuilder("cp", "-a", directory.resolve(name).toString(), copy.toString()).start();
    assertThat(copying.waitFor()).isZero();
    try (DirectoryStream<Path> clusters = Files.newDirectoryStream(copy, "pg*")) {
      Path cluster = clusters.iterator().next();
      Files.deleteIfExists(cluster.resolve("postmaster.pid"));
      Files.createFile(cluster.resolve("standby.signal"));
    }
    return start("standby", Map.of());
  }

  private static PostgresConfig config(EmbeddedPostgres first, EmbeddedPostgres... others) {
    StringBuilder hosts = new StringBuilder("127.0.0.1:" + first.port());
    for (EmbeddedPostgres other : others) {
      hosts.append(",127.0.0.1:").append(other.port());
    }
    return new PostgresConfig(
        "jdbc:postgresql://" + hosts + "/kairos?targetServerType=primary",
        first.user(),
        first.password(),
        4,
        STATEMENT_TIMEOUT,
        CONNECT_TIMEOUT,
        false,
        SchemaConfig.defaults());
  }

  private static Connection connect(EmbeddedPostgres server) throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
  }

  private static void run(EmbeddedPostgres server, String sql) throws SQLException {
    try (Connection connection = connect(server);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(EmbeddedPostgres server, String sql) throws SQLException {
    try (Connection connection = connect(server);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** The server ends a session a moment after the node has closed it; each look connects anew. */
  private static void assertNoSessions(EmbeddedPostgres old) throws SQLException {
    long left = number(old, SESSIONS);
    for (int attempt = 0; left > 0 && attempt < MORE_THAN_CONNECTIONS; attempt++) {
      left = number(old, SESSIONS);
    }
    assertThat(left).isZero();
  }

  /** Each failing call waits for a connection, so this does not spin. */
  private static void comesBack(Supplier<?> call) {
    StoreUnavailable last = new StoreUnavailable("not called");
    for (int attempt = 0; attempt < MORE_THAN_CONNECTIONS; attempt++) {
      try {
        assertThat(call.get()).isNotNull();
        return;
      } catch (StoreUnavailable stillAway) {
        last = stillAway;
      }
    }
    throw new AssertionError("the store did not come back", last);
  }
}
