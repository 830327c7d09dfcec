package io.kairos.postgres;

import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;

/** Gives a session the settings that every statement expects, and reads the state of its server. */
final class ServerSession {
  static final String INSUFFICIENT_PRIVILEGE = "42501";

  private static final SqlStatement SESSION = SqlStatement.load("session.sql");

  private ServerSession() {}

  /**
   * @param schema empty for the first of the user's search path
   * @throws UnsafeStoreException when the user may not read the state
   */
  static ServerState prepare(
      Connection connection, String server, String schema, ServerSource.Timeouts timeouts)
      throws SQLException {
    try {
      return state(connection, server, schema, timeouts);
    } catch (SqlFailure e) {
      if (INSUFFICIENT_PRIVILEGE.equals(e.failure().getSQLState())) {
        throw new UnsafeStoreException(
            "the user %s may not read the state of the server, by which nodes recognize an old primary (%s): grant the user execute on that function"
                .formatted(connection.getMetaData().getUserName(), e.failure().getMessage()));
      }
      throw e;
    }
  }

  private static ServerState state(
      Connection connection, String server, String schema, ServerSource.Timeouts timeouts) {
    return SESSION
        .on(connection)
        .with("statement_timeout_millis", timeouts.statement().toMillis())
        .with("lock_timeout_millis", timeouts.lock().toMillis())
        .with("schema", schema)
        .one(row ->
            new ServerState(
                server,
                new StoreSafety(
                    NonNullColumns.text(row, 1),
                    NonNullColumns.text(row, 2),
                    NonNullColumns.text(row, 3),
                    NonNullColumns.text(row, 4)),
                row.getBoolean(5),
                NonNullColumns.text(row, 6),
                row.getInt(7),
                row.getBoolean(8)));
  }
}
