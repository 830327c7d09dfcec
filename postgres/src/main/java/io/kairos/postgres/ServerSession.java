package io.kairos.postgres;

import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;

/** Gives a session the settings that every statement expects, and reads the state of its server. */
final class ServerSession {
  private static final SqlStatement SESSION = SqlStatement.load("session.sql");

  private ServerSession() {}

  /**
   * @param schema empty for the first of the user's search path
   */
  static ServerState prepare(
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
