package io.kairos.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** Connections for statements: a pool, or some of an application's. Thread-safe. */
public interface Connections extends AutoCloseable {
  /** Returns a connection that commits each statement, after a wait of bounded length. */
  Connection borrow() throws SQLException;

  /** Takes a connection back, in whatever state it is. */
  void giveBack(Connection connection) throws SQLException;

  /** Ends the connections. */
  @Override
  void close();
}
