package io.kairos.inprocess;

import io.kairos.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** The data source of an application on a database of its own, with a bound like that of a pool. */
final class TestSource extends PGSimpleDataSource {
  private static final long serialVersionUID = 1L;

  private final transient List<Connection> given = new ArrayList<>();
  private final int most;
  private boolean isDead;
  private final boolean committed;

  private TestSource(String url, int most, boolean committed) {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    setUrl(url);
    setUser(postgres.user());
    setPassword(postgres.password());
    this.most = most;
    this.committed = committed;
  }

  static TestSource create() {
    return new TestSource(EmbeddedPostgres.shared().newDatabase(), 100, true);
  }

  TestSource bounded(int connections) {
    return new TestSource(getUrl(), connections, committed);
  }

  TestSource withoutAutoCommit() {
    return new TestSource(getUrl(), most, false);
  }

  @Override
  public Connection getConnection() throws SQLException {
    synchronized (given) {
      given.removeIf(TestSource::isClosed);
      if (isDead || given.size() >= most) {
        throw new SQLTransientConnectionException("the pool has no more than " + most);
      }
      Connection connection = super.getConnection();
      connection.setAutoCommit(committed);
      given.add(connection);
      return connection;
    }
  }

  /** The connections that are open. */
  int open() {
    synchronized (given) {
      given.removeIf(TestSource::isClosed);
      return given.size();
    }
  }

  /** Breaks all connections and gives no more, as when their process is killed. */
  void die() throws SQLException {
    synchronized (given) {
      isDead = true;
      for (Connection one : given) {
        one.abort(Runnable::run);
      }
    }
  }

  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  long number(String sql) {
    return Long.parseLong(text(sql));
  }

  String text(String sql) {
    try (Connection connection = super.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void execute(String sql) {
    try (Connection connection = super.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
