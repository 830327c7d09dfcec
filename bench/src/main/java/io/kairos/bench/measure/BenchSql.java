package io.kairos.bench.measure;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Statements of the bench itself, which asks Postgres and not Kairos. */
public final class BenchSql {
  private BenchSql() {}

  /** Makes something of the row that a result stands at. */
  @FunctionalInterface
  public interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Takes the row that a result stands at. */
  @FunctionalInterface
  public interface RowConsumer {
    void accept(ResultSet row) throws SQLException;
  }

  /** A statement that changes something. */
  public static void update(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      statement.execute();
    }
  }

  /** Hands over every row of a query. */
  public static void each(
      Connection connection, RowConsumer reader, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        reader.accept(row);
      }
    }
  }

  /** Returns the result of a query that has one row. */
  public static <T> T one(
      Connection connection, RowReader<T> reader, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return reader.read(row);
    }
  }

  /** Returns the only number of a query. */
  public static long number(Connection connection, String sql, Object... parameters)
      throws SQLException {
    return one(connection, row -> row.getLong(1), sql, parameters);
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }
}
