package io.kairos.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.kairos.postgres.sql.Connections;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A pool of connections of a node's own. Thread-safe. */
record HikariPool(HikariDataSource pool) implements Connections {
  /**
   * Opens a pool. The isolation level is named, although every connection has it already: a pool
   * that is to find it out from its first connection opens no other one when that one breaks
   * meanwhile.
   */
  static HikariPool of(String name, PostgresConfig config, DataSource source, int size, int idle) {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName(name);
    pool.setDataSource(source);
    pool.setMaximumPoolSize(size);
    pool.setMinimumIdle(idle);
    pool.setConnectionTimeout(config.connectTimeout().toMillis());
    pool.setValidationTimeout(config.connectTimeout().toMillis());
    pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    pool.setInitializationFailTimeout(
        -1); // the check has just been made; from now on the pool retries
    return new HikariPool(new HikariDataSource(pool));
  }

  @Override
  @SuppressWarnings("MustBeClosed") // given back
  public Connection borrow() throws SQLException {
    return pool.getConnection();
  }

  @Override
  public void giveBack(Connection connection) throws SQLException {
    connection.close();
  }

  @Override
  public void close() {
    pool.close();
  }
}
