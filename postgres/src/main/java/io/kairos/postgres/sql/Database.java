package io.kairos.postgres.sql;

import com.zaxxer.hikari.HikariDataSource;
import io.kairos.engine.node.StoreUnavailable;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Where every statement runs, and the one place where a failure of the database becomes {@link
 * StoreUnavailable}. Thread-safe: each call borrows a connection of the pool, waits for one at most
 * the pool's connection timeout, and so fails fast while the database is away; the pool finds the
 * way back by itself.
 */
public final class Database implements AutoCloseable {
  private final HikariDataSource pool;

  public Database(HikariDataSource pool) {
    this.pool = pool;
  }

  /** Work on a connection. May be tried again by the caller, never by this class. */
  @FunctionalInterface
  public interface Work<T extends @Nullable Object> {
    T on(Connection connection) throws SQLException;
  }

  /** Runs one statement, which commits by itself. */
  public <T extends @Nullable Object> T single(String what, Work<T> work) {
    try (Connection connection = pool.getConnection()) {
      return work.on(connection);
    } catch (SQLException e) {
      throw Failures.unavailable(what, e);
    }
  }

  /**
   * Runs several statements in one transaction (READ COMMITTED) and commits. The work may roll back
   * itself; what it does afterwards belongs to a new transaction.
   */
  public <T extends @Nullable Object> T transaction(String what, Work<T> work) {
    try (Connection connection = pool.getConnection()) {
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
    } catch (SQLException e) {
      throw Failures.unavailable(what, e);
    }
  }

  /** What made the transaction fail is on its way to the caller; a dead connection rolls back. */
  private static void rollBackQuietly(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException ignored) {
      // the pool drops a connection that cannot roll back
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
