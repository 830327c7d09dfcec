package io.kairos.client;

import io.kairos.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;

/** Two connections with a transaction each, for tests of tables in the application's database. */
public abstract class TwoTransactions {
  private static final String DATABASE = EmbeddedPostgres.shared().newDatabase();

  protected final Connection first = connect();
  protected final Connection second = connect();

  protected TwoTransactions() throws SQLException {}

  private static Connection connect() throws SQLException {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    Connection connection =
        DriverManager.getConnection(DATABASE, postgres.user(), postgres.password());
    connection.setAutoCommit(false);
    return connection;
  }

  @AfterEach
  void close() throws SQLException {
    first.close();
    second.close();
  }

  protected static void execute(Connection connection, String statement) throws SQLException {
    try (Statement one = connection.createStatement()) {
      one.execute(statement);
    }
  }
}
