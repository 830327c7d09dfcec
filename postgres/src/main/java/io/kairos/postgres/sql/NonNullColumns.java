package io.kairos.postgres.sql;

import static java.util.Objects.requireNonNull;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;

/** Columns that the schema declares not null. */
public final class NonNullColumns {
  private static final String NULL = "the schema allows no null here";

  private NonNullColumns() {}

  public static String text(ResultSet row, int column) throws SQLException {
    return requireNonNull(row.getString(column), NULL);
  }

  public static byte[] bytes(ResultSet row, int column) throws SQLException {
    return requireNonNull(row.getBytes(column), NULL);
  }

  public static UUID uuid(ResultSet row, int column) throws SQLException {
    return requireNonNull(row.getObject(column, UUID.class), NULL);
  }

  public static Instant instant(ResultSet row, int column) throws SQLException {
    return requireNonNull(row.getObject(column, OffsetDateTime.class), NULL).toInstant();
  }
}
