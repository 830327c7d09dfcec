package io.kairos.postgres.delay;

import io.kairos.postgres.sql.NonNullColumns;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The topics that a node serves a route with, as nodes compare them through the store. */
public record RouteTopics(String input, String output) {
  static RouteTopics read(ResultSet row, int first) throws SQLException {
    return new RouteTopics(NonNullColumns.text(row, first), NonNullColumns.text(row, first + 1));
  }

  @Override
  public String toString() {
    return input + " to " + output;
  }
}
