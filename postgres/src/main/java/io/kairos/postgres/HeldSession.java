package io.kairos.postgres;

import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgConnection;

/**
 * A connection of an application's data source whose session is set up for Kairos, and what it was
 * when it came. Used by one thread at a time.
 */
record HeldSession(
    Connection connection,
    boolean committed,
    int networkTimeout,
    int threshold,
    List<Integer> sentAsText,
    String settings) {
  private static final SqlStatement SETTINGS = SqlStatement.load("held_settings.sql");
  private static final SqlStatement RESTORE = SqlStatement.load("held_settings_restore.sql");

  private static final SqlStatement UNLISTEN = SqlStatement.load("unlisten.sql");

  /** The database cancels a statement first; the limit of the socket is for one that is gone. */
  private static final Duration SOCKET_GRACE = Duration.ofSeconds(2);

  /** The types of {@link io.kairos.postgres.sql.BinaryArray}. */
  private static final List<Integer> ARRAYS =
      List.of(
          Oid.TEXT_ARRAY,
          Oid.BYTEA_ARRAY,
          Oid.INT4_ARRAY,
          Oid.INT8_ARRAY,
          Oid.FLOAT8_ARRAY,
          Oid.UUID_ARRAY);

  private record Settings(String json, boolean mayWrite) {}

  /**
   * Takes a connection of the data source and sets its session up.
   *
   * @throws SQLException that of the data source, or one whose cause is the {@link
   *     UnsafeStoreException} that says why the connection cannot be used
   */
  static HeldSession open(ApplicationDatabase application, ServerTimelines timelines)
      throws SQLException {
    @SuppressWarnings("MustBeClosed") // kept until it breaks or Kairos is closed
    Connection connection = application.source().getConnection();
    if (connection == null) {
      throw new SQLTransientConnectionException("the data source gives no connection, but null");
    }
    HeldSession came = null;
    boolean ready = false;
    try {
      came = came(connection);
      came.setUp(application, timelines);
      ready = true;
      return came;
    } catch (UnsafeStoreException e) {
      throw new SQLException(e.getMessage(), ServerTimelines.NOT_IN_PREREQUISITE_STATE, e);
    } catch (SqlFailure e) {
      throw e.failure();
    } finally {
      if (!ready) {
        if (came == null) {
          connection.close();
        } else {
          came.giveUp(true);
        }
      }
    }
  }

  /** Reads what is changed in {@link #setUp}. */
  private static HeldSession came(Connection connection) throws SQLException {
    requireDriver(connection);
    PgConnection driver = connection.unwrap(PgConnection.class);
    boolean committed = connection.getAutoCommit();
    Settings settings =
        SETTINGS
            .on(connection)
            .one(row -> new Settings(NonNullColumns.text(row, 1), row.getBoolean(2)));
    if (!committed) {
      connection.rollback();
    }
    if (connection.isReadOnly() || !settings.mayWrite) {
      throw new UnsafeStoreException(
          "the data source gives read-only connections: give Kairos one that may write");
    }
    return new HeldSession(
        connection,
        committed,
        connection.getNetworkTimeout(),
        driver.getPrepareThreshold(),
        ARRAYS.stream().filter(type -> !driver.binaryTransferSend(type)).toList(),
        settings.json);
  }

  static void requireDriver(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PgConnection.class)) {
      throw new UnsafeStoreException(
          "the data source gives connections of %s, and Kairos needs those of the Postgres driver (org.postgresql), or such as can be unwrapped to them"
              .formatted(connection.getClass().getName()));
    }
  }

  private void setUp(ApplicationDatabase application, ServerTimelines timelines)
      throws SQLException {
    connection.setAutoCommit(true);
    ServerState state =
        ServerSession.prepare(
            connection,
            "the application's database",
            application.schema().name(),
            new ServerSource.Timeouts(application.statementTimeout(), Duration.ZERO));
    timelines.admit(state, connection);
    state.safety().check(application.allowUnsafeDurability());
    PgConnection driver = connection.unwrap(PgConnection.class);
    driver.setPrepareThreshold(1);
    sentAsText.forEach(driver.getQueryExecutor()::addBinarySendOid);
    connection.setNetworkTimeout(
        Runnable::run,
        application.statementTimeout().isZero()
            ? 0
            : Math.toIntExact(application.statementTimeout().plus(SOCKET_GRACE).toMillis()));
  }

  /**
   * Returns a connection to its data source, as it came if it can still be used; one whose settings
   * cannot be restored is broken, so that nobody gets it with Kairos' settings.
   */
  void giveUp(boolean isFit) {
    try (Connection last = connection) {
      if (isFit && !isRestored()) {
        last.abort(Runnable::run);
      }
    } catch (SQLException e) {
      // the data source finds it broken
    }
  }

  private boolean isRestored() {
    try {
      UNLISTEN.on(connection).execute();
      RESTORE.on(connection).with("settings", settings).any();
      PgConnection driver = connection.unwrap(PgConnection.class);
      driver.setPrepareThreshold(threshold);
      sentAsText.forEach(driver.getQueryExecutor()::removeBinarySendOid);
      connection.setNetworkTimeout(Runnable::run, networkTimeout);
      connection.setAutoCommit(committed);
      return true;
    } catch (SQLException | SqlFailure e) {
      return false;
    }
  }
}
