package io.kairos.postgres;

import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.postgres.sql.SqlDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.postgresql.ds.PGSimpleDataSource;

/** An empty database on the embedded Postgres of this JVM, and a way past the stores into it. */
public record TestDatabase(String jdbcUrl, String user, String password) {
  /** A machine that stands still for seconds is no reason to give up. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  public static TestDatabase create() {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    return new TestDatabase(postgres.newDatabase(), postgres.user(), postgres.password());
  }

  public PostgresConfig config() {
    return config(ConfigRecord.defaults(PostgresConfig.class).poolSize(), false);
  }

  PostgresConfig config(int poolSize, boolean allowUnsafeDurability) {
    return new PostgresConfig(
        jdbcUrl,
        user,
        password,
        poolSize,
        PATIENCE,
        PATIENCE,
        allowUnsafeDurability,
        SchemaConfig.defaults());
  }

  /** The same with its tables elsewhere, or migrated by others. */
  PostgresConfig config(SchemaConfig schema) {
    return new PostgresConfig(jdbcUrl, user, password, 2, PATIENCE, PATIENCE, false, schema);
  }

  public PostgresStores open() {
    return PostgresStores.open(config());
  }

  /** Stores on connections of a data source as an application may have it: without auto-commit. */
  public PostgresStores openWithinAnApplication() {
    PGSimpleDataSource source =
        new PGSimpleDataSource() {
          private static final long serialVersionUID = 1L;

          @Override
          public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            connection.setAutoCommit(false);
            return connection;
          }
        };
    source.setUrl(jdbcUrl);
    source.setUser(user);
    source.setPassword(password);
    return PostgresStores.within(
        new ApplicationDatabase(
            source,
            5,
            new SchemaConfig("public", SchemaConfig.Migrate.ON),
            PATIENCE,
            PATIENCE,
            false));
  }

  /** A connection of its own, with the server's defaults, that sends what the stores send. */
  public Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("binaryTransferEnable", "UUID_ARRAY");
    return DriverManager.getConnection(jdbcUrl, properties);
  }

  public void execute(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  public long number(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** Work of a statement. */
  public static SqlDatabase.Work<Boolean> sql(String text) {
    return connection -> {
      try (Statement statement = connection.createStatement()) {
        return statement.execute(text);
      }
    };
  }

  /** Runs the second while the first, uncommitted, holds its locks, and does not expect a wait. */
  public <T> T during(SqlDatabase.Work<?> first, Callable<T> second) throws Exception {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      first.on(connection);
      T result = second.call();
      connection.commit();
      return result;
    }
  }

  /** As {@link #during(SqlDatabase.Work, Callable)}, of a second that results in nothing. */
  public void during(SqlDatabase.Work<?> first, Runnable second) throws Exception {
    during(first, Executors.callable(second, true));
  }

  /** Lets the second wait for a lock of the first, then commits the first. */
  public <T> T blockedBehind(SqlDatabase.Work<?> first, Callable<T> second) throws Exception {
    return blockedBehind(first, second, () -> {});
  }

  /** As {@link #blockedBehind(SqlDatabase.Work, Callable)}, of a second without a result. */
  public void blockedBehind(SqlDatabase.Work<?> first, Runnable second) throws Exception {
    blockedBehind(first, Executors.callable(second, true));
  }

  /** Lets the second wait for a lock of the first, runs a third, then commits the first. */
  public <T> T blockedBehind(SqlDatabase.Work<?> first, Callable<T> second, Runnable meanwhile)
      throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      return during(
              first,
              () -> {
                Future<T> blocked = other.submit(second);
                awaitLockWaits(1);
                meanwhile.run();
                return blocked;
              })
          .get();
    }
  }

  /** Asks the database itself who waits, as often as it answers: some waits are short. */
  public void awaitLockWaits(int least) {
    try (Connection connection = connect();
        PreparedStatement waits =
            connection.prepareStatement(
                "select count(*) from pg_stat_activity"
                    + " where datname = current_database() and wait_event_type = 'Lock'")) {
      for (int attempt = 0; attempt < 20_000; attempt++) {
        try (ResultSet row = waits.executeQuery()) {
          row.next();
          if (row.getLong(1) >= least) {
            return;
          }
        }
      }
    } catch (SQLException e) {
      throw new AssertionError("looking for who waits", e);
    }
    throw new AssertionError("nobody waits for a lock");
  }

  /** Runs a task on so many threads at once; returns all results. */
  public static <T> List<T> inParallel(int threads, Callable<T> task) throws Exception {
    List<T> results = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (Future<T> one : executor.invokeAll(Collections.nCopies(threads, task))) {
        results.add(one.get());
      }
    }
    return results;
  }
}
