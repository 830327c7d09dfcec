package io.kairos.postgres;

import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Opens connections with the settings that every statement expects: server-side prepared
 * statements, binary arrays, timeouts at both ends, no payload in error texts. Called by the
 * threads of the connection pools, and at opening. A database whose durability has been switched
 * off in the meantime is treated as unavailable.
 */
final class ConnectionSource extends PGSimpleDataSource {
  private static final long serialVersionUID = 1L;
  private static final SqlStatement SESSION = SqlStatement.load("session.sql");
  private static final int NO_LIMIT = 0;
  private static final String NOT_IN_PREREQUISITE_STATE = "55000";

  /**
   * The database cancels a statement first; the limit of the socket is for a database that is gone.
   */
  private static final Duration SOCKET_GRACE = Duration.ofSeconds(2);

  private final boolean allowUnsafeDurability;
  private final long statementTimeoutMillis;

  private ConnectionSource(PostgresConfig config, Duration statementTimeout) {
    this.allowUnsafeDurability = config.allowUnsafeDurability();
    this.statementTimeoutMillis = statementTimeout.toMillis();
    setUrl(config.jdbcUrl());
    setUser(config.user());
    setPassword(config.password());
    setApplicationName("kairos");
    setConnectTimeout(seconds(config.connectTimeout()));
    setLoginTimeout(seconds(config.connectTimeout()));
    setSocketTimeout(
        statementTimeout.isZero() ? NO_LIMIT : seconds(statementTimeout.plus(SOCKET_GRACE)));
    setTcpKeepAlive(true);
    setPrepareThreshold(1);
    setBinaryTransfer(true);
    setBinaryTransferEnable("UUID_ARRAY");
    setLogServerErrorDetail(false);
  }

  static ConnectionSource forStatements(PostgresConfig config) {
    return new ConnectionSource(config, config.statementTimeout());
  }

  /**
   * Makes connections without a limit on a statement's time: building an index over a large table
   * takes long.
   */
  static ConnectionSource forMigrations(PostgresConfig config) {
    return new ConnectionSource(config, Duration.ZERO);
  }

  @Override
  public Connection getConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    Connection connection = super.getConnection(user, password);
    boolean ready = false;
    try {
      prepare(connection).check(allowUnsafeDurability);
      ready = true;
      return connection;
    } catch (UnsafeStoreException e) {
      throw new SQLException(e.getMessage(), NOT_IN_PREREQUISITE_STATE, e);
    } catch (SqlFailure e) {
      throw e.failure();
    } finally {
      if (!ready) {
        connection.close();
      }
    }
  }

  private StoreSafety prepare(Connection connection) {
    return SESSION
        .on(connection)
        .with("statement_timeout_millis", statementTimeoutMillis)
        .one(row ->
            new StoreSafety(
                NonNullColumns.text(row, 1),
                NonNullColumns.text(row, 2),
                NonNullColumns.text(row, 3),
                NonNullColumns.text(row, 4)));
  }

  private static int seconds(Duration duration) {
    return Math.toIntExact(duration.plusMillis(999).toSeconds());
  }
}
