package io.kairos.postgres;

import io.kairos.postgres.sql.Connections;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Connections without a pool, each for one use. Thread-safe. */
record DirectConnections(DataSource source) implements Connections {
  @Override
  @SuppressWarnings("MustBeClosed") // given back
  public Connection borrow() throws SQLException {
    return source.getConnection();
  }

  @Override
  public void giveBack(Connection connection) throws SQLException {
    connection.close();
  }

  @Override
  public void close() {}
}
