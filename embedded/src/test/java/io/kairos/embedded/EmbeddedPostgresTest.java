package io.kairos.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.embedded.EmbeddedStartException.Problem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real servers; each test says what the fault tests and the node rely on. */
class EmbeddedPostgresTest {
  /**
   * For tests that need data which is there already and leave it there: creating some takes a
   * second.
   */
  @TempDir static Path used;

  private static final String CLUSTER = "pg" + PostgresBinaries.MAJOR;

  @TempDir Path directory;

  @Test
  void keeps_its_data_over_a_stop_and_a_start() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(PostgresOptions.in(used))) {
      execute(postgres, "create table kept_over_a_stop (n int)");
      execute(postgres, "insert into kept_over_a_stop values (42)");
    }

    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(PostgresOptions.in(used))) {
      assertThat(ask(postgres, "select n from kept_over_a_stop")).isEqualTo("42");
      assertThat(ask(postgres, "select split_part(version(), ' ', 2)"))
          .isEqualTo(PostgresBinaries.VERSION);
    }
  }

  @Test
  void comes_back_on_its_port_with_its_data_after_its_postmaster_was_killed() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    execute(postgres, "create table kept as select 42 n");
    String url = postgres.jdbcUrl();

    postgres.kill();

    assertThat(postgres.isRunning()).isFalse();
    assertThatThrownBy(() -> ask(postgres, "select 1")).isInstanceOf(SQLException.class);
    postgres.restart();
    assertThat(postgres.isRunning()).isTrue();
    assertThat(postgres.jdbcUrl()).isEqualTo(url);
    assertThat(ask(postgres, "select n from kept")).isEqualTo("42");
  }

  @Test
  void comes_back_after_it_was_killed_while_it_was_paused() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    postgres.pause();
    postgres.kill();

    postgres.restart();

    assertThat(ask(postgres, "select 1")).isEqualTo("1");
  }

  @Test
  void gives_no_answer_while_paused_and_goes_on_when_resumed() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    try (Connection open = connect(postgres, "?socketTimeout=1")) {
      postgres.pause();
      assertThatThrownBy(() -> ask(open, "select 1")).isInstanceOf(SQLException.class);

      postgres.resume();

      assertThat(ask(postgres, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void is_durable_and_closed_to_others_by_default() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    assertThat(ask(postgres, "show fsync")).isEqualTo("on");
    assertThat(ask(postgres, "show synchronous_commit")).isEqualTo("on");
    assertThat(ask(postgres, "show full_page_writes")).isEqualTo("on");
    assertThat(ask(postgres, "show data_checksums")).isEqualTo("on");
    assertThat(ask(postgres, "show listen_addresses")).isEqualTo("127.0.0.1");
    assertThat(ask(postgres, "show unix_socket_directories")).isEmpty();
    assertThat(ask(postgres, "select count(*) from pg_hba_file_rules where auth_method = 'trust'"))
        .isEqualTo("0");
    assertThat(
            Files.getPosixFilePermissions(
                Path.of(ask(postgres, "show data_directory")).resolveSibling("postgres.password")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void refuses_to_run_without_durability_however_it_was_taken_away() throws Exception {
    PostgresOptions careless = PostgresOptions.in(directory).withSettings(Map.of("fsync", "off"));
    StartRefusal.of(Problem.NOT_DURABLE, () -> EmbeddedPostgres.start(careless))
        .hasMessageContaining("fsync=off");

    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(PostgresOptions.in(directory))) {
      execute(postgres, "alter role kairos set synchronous_commit = off");
    }
    assertThatThrownBy(() -> EmbeddedPostgres.start(PostgresOptions.in(directory)))
        .hasMessageContaining("synchronous_commit=off");
  }

  @Test
  void refuses_a_second_owner_of_its_directory_and_is_unharmed() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    Path owned = Path.of(ask(postgres, "show data_directory")).resolveSibling(".").normalize();

    StartRefusal.of(
            Problem.DIRECTORY_IN_USE, () -> EmbeddedPostgres.start(PostgresOptions.in(owned)))
        .hasMessageContaining(owned.toString())
        .hasMessageContaining("process " + ProcessHandle.current().pid());

    assertThat(ask(postgres, "select 1")).isEqualTo("1");
  }

  @Test
  void says_that_its_port_is_taken() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      PostgresOptions options = PostgresOptions.in(directory).withPort(other.getLocalPort());

      StartRefusal.of(Problem.PORT_TAKEN, () -> EmbeddedPostgres.start(options))
          .hasMessageContaining("Port " + other.getLocalPort());
    }
  }

  @Test
  void says_what_postgres_said_when_it_does_not_like_a_setting() {
    PostgresOptions options =
        PostgresOptions.in(used).withSettings(Map.of("shared_buffers", "a lot"));

    StartRefusal.of(Problem.ENDED_EARLY, () -> EmbeddedPostgres.start(options))
        .hasMessageContaining("shared_buffers");
  }

  @Test
  void leaves_nobody_who_writes_when_its_first_start_is_interrupted() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread start =
        Thread.ofPlatform()
            .uncaughtExceptionHandler((_, e) -> thrown.set(e))
            .start(() -> EmbeddedPostgres.start(PostgresOptions.in(directory)));
    while (start.isAlive() && !Files.exists(directory.resolve(CLUSTER + ".new/PG_VERSION"))) {
      Thread.onSpinWait();
    }

    start.interrupt();
    start.join();

    assertThat(thrown.get())
        .isInstanceOfSatisfying(
            EmbeddedStartException.class,
            e -> assertThat(e.problem()).isEqualTo(Problem.INTERRUPTED));
    FileTree.delete(directory);
    assertThat(directory).doesNotExist();
    Files.createDirectory(directory);
  }

  @Test
  void starts_although_a_stranger_has_the_process_id_of_its_last_run() throws Exception {
    EmbeddedPostgres.start(PostgresOptions.in(used)).close();
    Path stale = used.resolve(CLUSTER + "/postmaster.pid");
    Files.writeString(
        stale, ProcessHandle.current().pid() + "\n" + used.resolve(CLUSTER) + "\n0\n0\n\n\n");

    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(PostgresOptions.in(used))) {
      assertThat(ask(postgres, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void gives_every_test_class_a_database_of_its_own() throws Exception {
    EmbeddedPostgres shared = EmbeddedPostgres.shared();
    String one = shared.newDatabase();
    String two = shared.newDatabase();

    try (Connection connection =
        DriverManager.getConnection(one, shared.user(), shared.password())) {
      connection.createStatement().execute("create table mine (n int)");
    }

    assertThat(EmbeddedPostgres.shared()).isSameAs(shared);
    try (Connection connection =
        DriverManager.getConnection(two, shared.user(), shared.password())) {
      assertThat(ask(connection, "select count(*) from pg_tables where tablename = 'mine'"))
          .isEqualTo("0");
    }
  }

  @Test
  void does_not_start_empty_beside_the_data_of_another_major_version() throws Exception {
    Files.createDirectory(directory.resolve("pg14"));

    StartRefusal.of(
            Problem.DIRECTORY_UNUSABLE, () -> EmbeddedPostgres.start(PostgresOptions.in(directory)))
        .hasMessageContaining("was written by Postgres 14")
        .hasMessageContaining("this build has Postgres " + PostgresBinaries.MAJOR);
    assertThat(directory.resolve("pg14")).isEmptyDirectory();
  }

  @Test
  void refuses_settings_that_would_open_it_to_others() {
    assertThatThrownBy(
            () -> PostgresOptions.in(directory).withSettings(Map.of("listen_addresses", "*")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("listen_addresses");
  }

  private static void execute(EmbeddedPostgres postgres, String sql) throws SQLException {
    try (Connection connection = connect(postgres, "");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String ask(EmbeddedPostgres postgres, String sql) throws SQLException {
    try (Connection connection = connect(postgres, "")) {
      return ask(connection, sql);
    }
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return String.valueOf(rows.getString(1));
    }
  }

  private static Connection connect(EmbeddedPostgres postgres, String parameters)
      throws SQLException {
    return DriverManager.getConnection(
        postgres.jdbcUrl() + parameters, postgres.user(), postgres.password());
  }
}
