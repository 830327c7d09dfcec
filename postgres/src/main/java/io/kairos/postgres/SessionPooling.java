package io.kairos.postgres;

import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Refuses a pooler that gives each transaction of a connection another session of the server, such
 * as PgBouncer with {@code pool_mode = transaction}. Nodes need sessions: for their settings, for
 * {@code LISTEN}, for advisory locks and prepared statements. Used once, at opening, on two plain
 * connections: a setting made on them would be left in a session that others use.
 */
final class SessionPooling {
  private static final SqlStatement PID = SqlStatement.load("session_pid.sql");

  /** SQLState of what a pooler of single statements answers to the beginning of a transaction. */
  private static final String PROTOCOL_VIOLATION = "08P01";

  private SessionPooling() {}

  /**
   * Looks whether two connections share a session, or one changes it.
   *
   * @throws UnsafeStoreException when they do
   * @throws io.kairos.engine.node.StoreUnavailable when the database does not answer
   */
  static void check(PostgresConfig config) {
    PGSimpleDataSource plain = plain(config);
    try (Connection one = plain.getConnection();
        Connection other = plain.getConnection()) {
      int first = pid(one);
      other.setAutoCommit(false);
      int held = pid(other); // keeps its session until the end of the transaction
      int again = pid(one);
      other.rollback();
      if (held == first || again != first) {
        throw refusal();
      }
    } catch (SQLException e) {
      throw FailureText.unavailable("opening the store", e);
    } catch (SqlFailure e) {
      if (PROTOCOL_VIOLATION.equals(e.failure().getSQLState())) {
        throw refusal();
      }
      throw FailureText.unavailable("opening the store", e.failure());
    }
  }

  private static PGSimpleDataSource plain(PostgresConfig config) {
    PGSimpleDataSource plain = new PGSimpleDataSource();
    plain.setUrl(config.jdbcUrl());
    plain.setUser(config.user());
    plain.setPassword(config.password());
    plain.setTargetServerType("preferPrimary");
    plain.setConnectTimeout(ServerSource.seconds(config.connectTimeout()));
    plain.setLoginTimeout(ServerSource.seconds(config.connectTimeout()));
    plain.setSocketTimeout(ServerSource.seconds(config.statementTimeout()));
    plain.setLogServerErrorDetail(false);
    return plain;
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
