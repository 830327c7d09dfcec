package io.kairos.postgres;

import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Refuses a pooler that gives each transaction of a connection another session of the server, such
 * as PgBouncer with {@code pool_mode = transaction}. Nodes need sessions: for their settings, for
 * {@code LISTEN}, for advisory locks and prepared statements. Used once, at opening, on two plain
 * connections: a setting made on them would be left in a session that others use.
 */
final class SessionPooling {
  private static final SqlStatement PID = SqlStatement.load("session_pid.sql");

  /**
   * SQLStates that say so: what a pooler of single statements answers to the beginning of a
   * transaction, and prepared statements of which the session has one already, or has none.
   */
  private static final Set<String> SYMPTOMS = Set.of("08P01", "42P05", "26000");

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
      check(one, other);
    } catch (SQLException e) {
      throw FailureText.unavailable("opening the store", e);
    }
  }

  /**
   * Looks at two connections, which are left as they came.
   *
   * @throws UnsafeStoreException as {@link #check(PostgresConfig)}
   */
  static void check(Connection one, Connection other) throws SQLException {
    try {
      boolean committed = one.getAutoCommit();
      boolean otherCommitted = other.getAutoCommit();
      one.setAutoCommit(true);
      other.setAutoCommit(false);
      int first = pid(one);
      int held = pid(other); // keeps its session until the end of the transaction
      int again = pid(one);
      other.rollback();
      one.setAutoCommit(committed);
      other.setAutoCommit(otherCommitted);
      if (held == first || again != first) {
        throw refusal();
      }
    } catch (SqlFailure e) {
      throw judged(e.failure());
    } catch (SQLException e) {
      throw judged(e);
    }
  }

  private static SQLException judged(SQLException failure) {
    if (SYMPTOMS.contains(String.valueOf(failure.getSQLState()))) {
      throw refusal();
    }
    return failure;
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
