package io.kairos.inprocess;

import io.kairos.api.text.ResourceText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Has an application's transaction find Kairos' functions, for the time of one call. */
final class SearchPath {
  private static final String GET = ResourceText.of(SearchPath.class, "search_path_get.sql");
  private static final String SET = ResourceText.of(SearchPath.class, "search_path_set.sql");

  private SearchPath() {}

  /** Work in a transaction. */
  interface Work<T> {
    T run() throws SQLException;
  }

  /** Runs work with the schema first on the path, which is afterwards as it was before. */
  static <T> T within(Connection connection, String schema, Work<T> work) throws SQLException {
    if (connection.getAutoCommit()) {
      return work.run(); // refuses it
    }
    String path;
    try (PreparedStatement get = connection.prepareStatement(GET);
        ResultSet row = get.executeQuery()) {
      row.next();
      path = String.valueOf(row.getString(1));
    }
    set(connection, schema + (path.isBlank() ? "" : ", " + path));
    boolean done = false;
    try {
      T result = work.run();
      done = true;
      return result;
    } finally {
      if (done) {
        set(connection, path);
      } else {
        restore(connection, path);
      }
    }
  }

  /**
   * After a refusal the transaction can go on. After a failure of the database it is rolled back,
   * or back to a savepoint, and its path with it.
   */
  private static void restore(Connection connection, String path) {
    try {
      set(connection, path);
    } catch (SQLException e) {
      // the transaction has failed
    }
  }

  private static void set(Connection connection, String path) throws SQLException {
    try (PreparedStatement set = connection.prepareStatement(SET)) {
      set.setString(1, path);
      set.executeQuery().close();
    }
  }
}
