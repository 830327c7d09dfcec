package io.kairos.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.domain.node.NodeId;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.embedded.LoopbackPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Nodes behind a PgBouncer, where the package of that name is installed. */
@EnabledIf("isInstalled")
class PgBouncerTest {
  private static final Duration STARTS_WITHIN = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final TestDatabase database = TestDatabase.create();
  private final List<Process> started = new ArrayList<>();

  static boolean isInstalled() {
    return program().isPresent();
  }

  private static Optional<Path> program() {
    return List.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer").stream()
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (Process one : started) {
      one.destroyForcibly().waitFor();
    }
  }

  /** The database as it is seen through a pooler of this mode. */
  private PostgresConfig behind(String mode) throws IOException {
    int port = LoopbackPort.choose();
    String name = database.jdbcUrl().replaceAll(".*/", "");
    Path settings = folder.resolve("pgbouncer.ini");
    Files.writeString(
        settings,
        """
        [databases]
        %s = host=127.0.0.1 port=%d dbname=%s user=%s password=%s
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = any
        pool_mode = %s
        ignore_startup_parameters = extra_float_digits
        """
            .formatted(
                name,
                EmbeddedPostgres.shared().port(),
                name,
                database.user(),
                database.password(),
                port,
                mode));
    List<String> command = new ArrayList<>(List.of(program().orElseThrow().toString()));
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("-u", "nobody")); // it refuses to run as root
    }
    command.add(settings.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("pgbouncer.log").toFile())
            .start();
    started.add(process);
    awaitPort(process, port);
    return database
        .config(2, false)
        .at(
            "jdbc:postgresql://127.0.0.1:" + port + "/" + name,
            database.user(),
            database.password());
  }

  private void awaitPort(Process process, int port) throws IOException {
    long untilNanos = System.nanoTime() + STARTS_WITHIN.toNanos();
    while (true) {
      try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() - untilNanos > 0) {
          throw new AssertionError(Files.readString(folder.resolve("pgbouncer.log")), e);
        }
        Thread.onSpinWait();
      }
    }
  }

  private static ApplicationDatabase application(PostgresConfig config) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(config.jdbcUrl());
    source.setUser(config.user());
    source.setPassword(config.password());
    return new ApplicationDatabase(
        source,
        5,
        new SchemaConfig("public", SchemaConfig.Migrate.ON),
        config.statementTimeout(),
        config.connectTimeout(),
        false);
  }

  @Test
  void a_pooler_of_sessions_is_as_good_as_the_database() throws IOException {
    PostgresConfig config = behind("session");
    PostgresStores.within(application(config)).close();
    try (PostgresStores stores = PostgresStores.open(config)) {
      NodeId node = new NodeId(new UUID(1, 1));

      assertThat(stores.messages().route("in-to-out").value()).isOne();
      stores.liveness().enrol(node, Duration.ofSeconds(1));
      assertThat(stores.liveness().renew(node)).isPresent();
      assertThat(stores.notifier().heard(node, Duration.ofSeconds(30))).as("it listens").isTrue();
      stores.notifier().notifyOthers(new NodeId(new UUID(1, 2)));
      assertThat(stores.notifier().heard(node, Duration.ofSeconds(30))).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"transaction", "statement"})
  void another_pooler_is_refused_with_the_reason(String mode) throws IOException {
    PostgresConfig config = behind(mode);

    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(() -> PostgresStores.open(config))
        .withMessageContaining("gives each transaction another session")
        .withMessageContaining("LISTEN")
        .withMessageContaining("pool_mode = session");
    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(() -> PostgresStores.within(application(config)))
        .withMessageContaining("pool_mode = session");
    assertThat(database.number("select count(*) from pg_tables where schemaname = 'public'"))
        .isZero();
    assertThat(
            new TestDatabase(config.jdbcUrl(), config.user(), config.password())
                .number("select (current_setting('enable_seqscan') = 'off')::int"))
        .as("sessions that others use keep their settings")
        .isZero();
  }
}
