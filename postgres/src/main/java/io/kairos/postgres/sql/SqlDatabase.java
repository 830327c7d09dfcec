package io.kairos.postgres.sql;

import io.kairos.engine.node.StoreCallTimer;
import io.kairos.engine.node.StoreUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Runs every statement, and is the one place where a failure of the database becomes {@link
 * StoreUnavailable}. Thread-safe: each call borrows a connection and waits for one for a bounded
 * time. So a call fails fast while the database is away; connections are made anew by themselves.
 */
public record SqlDatabase(Connections connections, StoreCallTimer timer) implements AutoCloseable {
  /** Work on a connection. The caller may try it again, this class never does. */
  @FunctionalInterface
  public interface Work<T extends @Nullable Object> {
    T on(Connection connection) throws SQLException;
  }

  /** Returns a call of one statement, which commits by itself. */
  public SqlCall call(String what, SqlStatement sql) {
    return new SqlCall(
        sql,
        new SqlCall.Runner() {
          @Override
          public <T extends @Nullable Object> T run(Work<T> work) {
            return single(what, work);
          }
        });
  }

  /** Runs statements of which each commits by itself. */
  public <T extends @Nullable Object> T single(String what, Work<T> work) {
    StoreCallTimer.StoreCall call = timer.begin();
    boolean isAnswered = true;
    try {
      Connection connection = connections.borrow();
      try {
        return work.on(connection);
      } finally {
        connections.giveBack(connection);
      }
    } catch (SQLException e) {
      isAnswered = false;
      throw FailureText.unavailable(what, e);
    } catch (SqlFailure e) {
      isAnswered = false;
      throw FailureText.unavailable(what, e.failure());
    } finally {
      call.end(isAnswered);
    }
  }

  /**
   * Runs several statements in one transaction (READ COMMITTED) and commits. The work may roll back
   * by itself; its later statements belong to a new transaction.
   */
  public <T extends @Nullable Object> T transaction(String what, Work<T> work) {
    return single(
        what,
        connection -> {
          connection.setAutoCommit(false);
          boolean done = false;
          try {
            T result = work.on(connection);
            connection.commit();
            done = true;
            return result;
          } finally {
            if (!done) {
              rollBackQuietly(connection);
            }
          }
        });
  }

  /**
   * Rolls back without an exception, because the failure of the transaction is thrown to the
   * caller; a dead connection rolls back by itself.
   */
  private static void rollBackQuietly(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException ignored) {
      // the pool drops a connection that cannot roll back
    }
  }

  @Override
  public void close() {
    connections.close();
  }
}
