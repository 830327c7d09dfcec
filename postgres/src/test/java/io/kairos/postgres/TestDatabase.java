package io.kairos.postgres;

import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.engine.setting.ConfigRecord;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;

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
        jdbcUrl, user, password, poolSize, PATIENCE, PATIENCE, allowUnsafeDurability);
  }

  public PostgresStores open() {
    return PostgresStores.open(config());
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
}
