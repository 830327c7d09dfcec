package io.kairos.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.embedded.PostgresOptions;
import io.kairos.engine.node.StoreUnavailable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** CH-48: the store goes away and comes back, and nobody opens it again. */
final class OutageTest {
  private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
  private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(1);

  /** Timeouts of both ends, whole seconds at the socket, and a very slow machine. */
  private static final Duration NOTICED_WITHIN = Duration.ofMinutes(1);

  private static final int MORE_THAN_CONNECTIONS = 200;

  @Test // PD-33
  void ch48_a_store_that_is_killed_frozen_or_refusing_is_noticed_and_taken_up_again(
      @TempDir Path directory) {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(PostgresOptions.in(directory));
        PostgresStores stores = PostgresStores.open(config(postgres))) {
      assertOutagesPass(postgres, stores);
    }
  }

  /** Its data source has no limits of time, as the driver's by default. */
  @Test
  void so_it_is_within_an_application(@TempDir Path directory) {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(PostgresOptions.in(directory))) {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(postgres.jdbcUrl());
      source.setUser(postgres.user());
      source.setPassword(postgres.password());
      try (PostgresStores stores =
          PostgresStores.within(
              new ApplicationDatabase(
                  source,
                  5,
                  new SchemaConfig("kairos", SchemaConfig.Migrate.ON),
                  STATEMENT_TIMEOUT,
                  CONNECT_TIMEOUT,
                  false))) {
        assertOutagesPass(postgres, stores);
      }
    }
  }

  private static void assertOutagesPass(EmbeddedPostgres postgres, PostgresStores stores) {
    assertThat(stores.messages().route("in-to-out").value()).isEqualTo(1);

    postgres.kill();
    assertUnavailable(() -> stores.messages().route("in-to-out"));
    assertUnavailable(() -> stores.liveness().time());
    postgres.restart();
    assertComesBack(() -> stores.messages().route("in-to-out"));
    assertComesBack(() -> stores.liveness().time());

    postgres.pause();
    assertUnavailable(() -> stores.messages().route("in-to-out"));
    assertUnavailable(() -> stores.liveness().time());
    postgres.resume();
    assertComesBack(() -> stores.messages().route("in-to-out"));
    assertComesBack(() -> stores.liveness().time());
  }

  /** The pool asks a connection for its isolation level when it has been found to be valid. */
  @Test
  void a_pool_whose_first_connection_breaks_opens_others(@TempDir Path directory) {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(PostgresOptions.in(directory))) {
      PostgresConfig config = config(postgres);
      ConnectionSource source = ConnectionSource.forStatements(config, new ServerTimelines());
      AtomicBoolean broken = new AtomicBoolean();
      PGSimpleDataSource breaking =
          new PGSimpleDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
              Connection connection = source.getConnection();
              return broken.get() ? connection : breaksWhenAsked(connection, broken);
            }
          };

      try (HikariDataSource pool = HikariPool.of("pool", config, breaking, 1, 1).pool()) {
        assertComesBack(() -> {
          try (Connection connection = pool.getConnection()) {
            return connection.isValid(1);
          } catch (SQLException e) {
            throw new StoreUnavailable("opening a connection failed", e);
          }
        });
      }
      assertThat(broken).isTrue();
    }
  }

  private static Connection breaksWhenAsked(Connection connection, AtomicBoolean broken) {
    return (Connection)
        Proxy.newProxyInstance(
            OutageTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getTransactionIsolation")) {
                broken.set(true);
                connection.close();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static PostgresConfig config(EmbeddedPostgres postgres) {
    return new PostgresConfig(
        postgres.jdbcUrl(),
        postgres.user(),
        postgres.password(),
        4,
        STATEMENT_TIMEOUT,
        CONNECT_TIMEOUT,
        false,
        SchemaConfig.defaults());
  }

  private static void assertUnavailable(Supplier<?> call) {
    long before = System.nanoTime();
    assertThatExceptionOfType(StoreUnavailable.class)
        .isThrownBy(call::get)
        .withMessageContaining("failed");
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(NOTICED_WITHIN);
  }

  /** Each failing call waits for a connection, so this does not spin. */
  static void assertComesBack(Supplier<?> call) {
    for (int attempt = 0; attempt < MORE_THAN_CONNECTIONS; attempt++) {
      try {
        assertThat(call.get()).isNotNull();
        return;
      } catch (StoreUnavailable stillAway) {
        assertThat(stillAway).hasMessageContaining("failed");
      }
    }
    throw new AssertionError("the store did not come back");
  }
}
