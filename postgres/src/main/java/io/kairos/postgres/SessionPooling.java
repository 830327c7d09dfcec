package io.kairos.postgres;

import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * Refuses a pooler that gives each transaction of a connection another session of the server, such
 * as PgBouncer with {@code pool_mode = transaction}. Nodes need sessions: for their settings, for
 * {@code LISTEN}, for advisory locks and prepared statements. Used once, at opening; costs a
 * connection.
 */
final class SessionPooling {
  private static final SqlStatement PID = SqlStatement.load("session_pid.sql");

  /**
   * SQLStates of a prepared statement that another connection has made in the same session, or that
   * this one has made in another session.
   */
  private static final Set<String> FOREIGN_STATEMENT = Set.of("42P05", "26000");

  private SessionPooling() {}

  /**
   * Looks whether two connections share a session, or one changes it.
   *
   * @throws UnsafeStoreException when they do
   */
  static void check(ConnectionSource source) throws SQLException {
    try (Connection one = source.getConnection();
        Connection other = source.getConnection()) {
      int first = pid(one);
      other.setAutoCommit(false);
      int held = pid(other); // keeps its session until the end of the transaction
      int again = pid(one);
      other.rollback();
      if (held == first || again != first) {
        throw refusal();
      }
    } catch (SQLException e) {
      throw judged(e);
    } catch (SqlFailure e) {
      throw judged(e.failure());
    }
  }

  /** Returns the failure, unless it comes of a pooler. */
  private static SQLException judged(SQLException e) {
    if (e.getSQLState() != null && FOREIGN_STATEMENT.contains(e.getSQLState())) {
      throw refusal();
    }
    return e;
  }

  private static int pid(Connection connection) {
    return PID.on(connection).one(row -> row.getInt(1));
  }

  private static UnsafeStoreException refusal() {
    return new UnsafeStoreException(
        "a pooler between this node and the database gives each transaction another session, as"
            + " PgBouncer does with pool_mode = transaction: nodes need sessions for their settings,"
            + " for LISTEN and for advisory locks; set pool_mode = session, or let postgres.url name"
            + " the database itself");
  }
}
