package io.kairos.postgres;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.postgres.sql.FailureText;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What becomes of an application's connections, in its own pool, when something goes wrong. */
final class HeldConnectionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final TestDatabase database = TestDatabase.create();

  private PGSimpleDataSource driver() {
    PGSimpleDataSource driver = new PGSimpleDataSource();
    driver.setUrl(database.jdbcUrl());
    driver.setUser(database.user());
    driver.setPassword(database.password());
    return driver;
  }

  private static HikariDataSource pool(DataSource driver, int size, Consumer<HikariConfig> more) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(driver);
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(500);
    more.accept(config);
    return new HikariDataSource(config);
  }

  private static HikariDataSource pool(DataSource driver, int size) {
    return pool(driver, size, config -> {});
  }

  private static ApplicationDatabase within(DataSource source) {
    return within(source, SchemaConfig.Migrate.ON);
  }

  private static ApplicationDatabase within(DataSource source, SchemaConfig.Migrate migrate) {
    return new ApplicationDatabase(
        source, 5, new SchemaConfig("kairos", migrate), PATIENCE, PATIENCE, false);
  }

  private static int active(HikariDataSource pool) {
    return pool.getHikariPoolMXBean().getActiveConnections();
  }

  private static String setting(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("show " + name)) {
      row.next();
      return requireNonNull(row.getString(1));
    }
  }

  /** All of the pool are as the driver makes them. */
  private static void assertClean(HikariDataSource pool, int size) throws SQLException {
    List<Connection> all = new ArrayList<>();
    try {
      for (int i = 0; i < size; i++) {
        Connection one = pool.getConnection();
        all.add(one);
        assertThat(setting(one, "search_path")).isEqualTo("\"$user\", public");
        assertThat(setting(one, "enable_seqscan")).isEqualTo("on");
        assertThat(setting(one, "statement_timeout")).isEqualTo("0");
        assertThat(setting(one, "lock_timeout")).isEqualTo("0");
        assertThat(setting(one, "plan_cache_mode")).isEqualTo("auto");
      }
    } finally {
      for (Connection one : all) {
        one.close();
      }
    }
  }

  @Test
  void a_pool_that_is_too_small_has_all_its_connections_again() throws Exception {
    try (HikariDataSource pool = pool(driver(), 4)) {
      assertThatExceptionOfType(UnsafeStoreException.class)
          .isThrownBy(() -> PostgresStores.within(within(pool)))
          .withMessageContaining("has given 4 connections");

      assertThat(active(pool)).isZero();
      assertClean(pool, 4);
    }
  }

  @Test
  void a_pool_that_leaves_the_application_no_connection_is_refused() throws Exception {
    try (HikariDataSource pool = pool(driver(), 5)) {
      assertThatExceptionOfType(UnsafeStoreException.class)
          .isThrownBy(() -> PostgresStores.within(within(pool)))
          .withMessageContaining("has given 5 connections, and Kairos keeps 5")
          .withMessageContaining("needs at least 6");

      assertThat(active(pool)).isZero();
      assertClean(pool, 5);
    }
    try (HikariDataSource pool = pool(driver(), 6);
        PostgresStores stores = PostgresStores.within(within(pool))) {
      assertThat(stores).isNotNull();
      assertThat(active(pool)).isEqualTo(5);
      pool.getConnection().close();
    }
  }

  @Test
  void a_refused_start_leaves_the_sessions_as_they_were() throws Exception {
    PGSimpleDataSource unsafe = driver();
    unsafe.setOptions("-c synchronous_commit=off");
    try (HikariDataSource pool = pool(unsafe, 2, config -> config.setAutoCommit(false))) {
      assertThatExceptionOfType(UnsafeStoreException.class)
          .isThrownBy(() -> PostgresStores.within(within(pool)))
          .withMessageContaining("synchronous_commit");

      assertThat(active(pool)).isZero();
      assertClean(pool, 2);
    }
  }

  @Test
  void a_closed_node_leaves_the_sessions_as_they_were() throws Exception {
    try (HikariDataSource pool =
        pool(driver(), 6, config -> config.setTransactionIsolation("TRANSACTION_SERIALIZABLE"))) {
      PostgresStores.within(within(pool)).close();

      assertThat(active(pool)).isZero();
      assertClean(pool, 6);
      try (Connection one = pool.getConnection()) {
        assertThat(one.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
      }
    }
  }

  @Test
  void a_pool_for_reading_is_refused() {
    PostgresStores.within(within(driver())).close();
    try (HikariDataSource pool = pool(driver(), 5, config -> config.setReadOnly(true))) {
      assertThatExceptionOfType(UnsafeStoreException.class)
          .isThrownBy(() -> PostgresStores.within(within(pool)))
          .withMessageContaining("read-only");

      assertThat(active(pool)).isZero();
    }
    PGSimpleDataSource reading = driver();
    reading.setOptions("-c default_transaction_read_only=on");
    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(() -> PostgresStores.within(within(reading)))
        .withMessageContaining("read-only");
  }

  @Test
  void a_data_source_that_throws_or_gives_nothing_is_unavailable() {
    for (RuntimeException failure :
        List.of(new IllegalStateException("no tenant"), new UnsupportedOperationException("no"))) {
      DataSource broken =
          new PGSimpleDataSource() {
            private static final long serialVersionUID = 1L;

            @Override
            public Connection getConnection() {
              throw failure;
            }
          };

      assertThatExceptionOfType(StoreUnavailable.class)
          .isThrownBy(() -> PostgresStores.within(within(broken)))
          .withMessageContaining(failure.getMessage());
    }
  }

  @Test
  void a_data_source_that_does_not_answer_is_not_waited_for_and_what_comes_late_is_used()
      throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    AtomicInteger given = new AtomicInteger();
    DataSource slow =
        new PGSimpleDataSource() {
          private static final long serialVersionUID = 1L;

          @Override
          public Connection getConnection() throws SQLException {
            boolean answered = false;
            while (!answered) {
              try {
                answers.await();
                answered = true;
              } catch (InterruptedException ignored) {
                // as some pools do
              }
            }
            given.incrementAndGet();
            return driver().getConnection();
          }
        };
    try (HeldConnections one = new HeldConnections(within(slow), 1, new ServerTimelines())) {
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> one.borrow(Duration.ofMillis(100)))
          .withMessageContaining("has not given a connection within 100 ms");
      answers.countDown();

      one.giveBack(one.borrow(PATIENCE));
      one.giveBack(one.borrow(PATIENCE));

      assertThat(given).hasValue(1);
    }
  }

  @Test
  void a_connection_whose_settings_cannot_be_restored_is_broken() throws Exception {
    try (HikariDataSource pool = pool(driver(), 1)) {
      try (HeldConnections one = new HeldConnections(within(pool), 1, new ServerTimelines())) {
        Connection held = one.borrow();
        one.giveBack(held);
        try (Statement statement = held.createStatement()) {
          statement.execute("begin; set local transaction read only");
          statement.execute("select 1 / 0");
        } catch (SQLException expected) {
          // the transaction has failed, so that nothing can be set
        }
      }

      assertClean(pool, 1);
    }
  }

  @Test
  void the_values_of_a_row_are_not_in_the_text_of_a_failure() throws Exception {
    database.execute("create table secret (id text primary key); insert into secret values ('s3')");
    try (Connection connection = driver().getConnection();
        Statement statement = connection.createStatement()) {
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> statement.execute("insert into secret values ('s3')"))
          .withMessageContaining("s3")
          .satisfies(failure -> {
            StoreUnavailable told = FailureText.unavailable("inserting", failure);
            assertThat(told).hasMessageContaining("duplicate key").hasMessageNotContaining("s3");
            assertThat(told.getCause()).hasMessageNotContaining("s3");
          });
    }
  }

  @Test
  void an_interrupted_thread_may_use_connections_that_are_there() throws Exception {
    try (PostgresStores stores = PostgresStores.within(within(driver()))) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread interrupted =
          Thread.ofPlatform()
              .start(() -> {
                Thread.currentThread().interrupt();
                try {
                  stores.liveness().time();
                } catch (RuntimeException e) {
                  failure.set(e);
                }
              });
      interrupted.join();

      assertThat(failure.get()).isNull();
    }
  }

  @Test
  void connections_that_the_database_ends_are_replaced() throws Exception {
    try (HikariDataSource pool = pool(driver(), 8)) {
      try (PostgresStores stores = PostgresStores.within(within(pool))) {
        for (int round = 0; round < 3; round++) {
          database.execute(
              "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");

          OutageTest.assertComesBack(() -> stores.liveness().time());
          OutageTest.assertComesBack(() -> stores.tasks().stale(PATIENCE, 10));
        }
        assertThat(active(pool)).isBetween(1, 5);
      }
      assertThat(active(pool)).isZero();
    }
  }

  @Test
  void connections_of_another_driver_are_refused() {
    DataSource foreign =
        new PGSimpleDataSource() {
          private static final long serialVersionUID = 1L;

          @Override
          public Connection getConnection() {
            return (Connection)
                Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (self, method, arguments) ->
                        switch (method.getName()) {
                          case "isWrapperFor" -> false;
                          case "close" -> null;
                          default -> throw new SQLException("no such database");
                        });
          }
        };

    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(() -> PostgresStores.within(within(foreign)))
        .withMessageContaining("org.postgresql");
  }

  @Test
  void a_data_source_with_one_connection_for_all_is_refused() throws Exception {
    try (Connection only = driver().getConnection()) {
      DataSource single =
          new PGSimpleDataSource() {
            private static final long serialVersionUID = 1L;

            @Override
            public Connection getConnection() {
              return only;
            }
          };

      assertThatExceptionOfType(UnsafeStoreException.class)
          .isThrownBy(() -> PostgresStores.within(within(single)))
          .withMessageContaining("one connection to all");
    }
  }

  @Test
  void rights_that_are_missing_are_named_with_what_to_do() {
    database.execute("drop role if exists held_app; create role held_app login password 'x'");
    PGSimpleDataSource weak = driver();
    weak.setUser("held_app");
    weak.setPassword("x");
    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(() -> PostgresStores.within(within(weak)))
        .withMessageContaining("permission denied")
        .withMessageContaining("kairos schema migrate")
        .withMessageContaining("--grant-to");
    PostgresConfig owner = database.config(new SchemaConfig("kairos", SchemaConfig.Migrate.ON));
    OperatedSchema.migrate(owner, null);
    assertThatExceptionOfType(UnsafeStoreException.class)
        .isThrownBy(() -> PostgresStores.within(within(weak)))
        .withMessageContaining("may not use the schema kairos")
        .withMessageContaining("--grant-to");

    OperatedSchema.migrate(owner, "held_app");

    for (SchemaConfig.Migrate migrate : SchemaConfig.Migrate.values()) {
      try (PostgresStores stores = PostgresStores.within(within(weak, migrate))) {
        NodeId node = new NodeId(UUID.randomUUID());
        stores.liveness().enrol(node, PATIENCE);
        assertThat(stores.liveness().renew(node)).isPresent();
      }
    }
  }

  @Test
  void a_history_of_an_applications_own_flyway_is_not_taken_for_kairos() {
    for (String version : List.of("20240101120000", "1.2", "100")) {
      database.execute(
          """
          drop schema if exists kairos cascade; create schema kairos; set search_path = kairos;
          create table orders (id text);
          create table flyway_schema_history (installed_rank int primary key, version varchar(50), description varchar(200) not null,
            type varchar(20) not null, script varchar(1000) not null, checksum int, installed_by varchar(100) not null,
            installed_on timestamp not null default now(), execution_time int not null, success boolean not null);
          insert into flyway_schema_history values (1, '%s', 'orders', 'SQL', 'V1__orders.sql', 1, 'app', now(), 1, true)
          """
              .formatted(version));

      for (SchemaConfig.Migrate migrate : SchemaConfig.Migrate.values()) {
        assertThatExceptionOfType(UnsafeStoreException.class)
            .isThrownBy(() -> PostgresStores.within(within(driver(), migrate)))
            .withMessageContaining("schema kairos")
            .withMessageContaining("nothing was changed");
      }
      assertThat(database.number("select count(*) from kairos.flyway_schema_history")).isOne();
    }
  }
}
