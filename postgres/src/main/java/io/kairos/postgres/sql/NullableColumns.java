package io.kairos.postgres.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Reads columns that may be null; a null is not passed to the function, but returned. */
public final class NullableColumns {
  private NullableColumns() {}

  public static <T> @Nullable T number(ResultSet row, int column, LongFunction<T> read)
      throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : read.apply(value);
  }

  public static <T> @Nullable T text(ResultSet row, int column, Function<String, T> read)
      throws SQLException {
    String value = row.getString(column);
    return value == null ? null : read.apply(value);
  }

  public static <T> @Nullable T uuid(ResultSet row, int column, Function<UUID, T> read)
      throws SQLException {
    UUID value = row.getObject(column, UUID.class);
    return value == null ? null : read.apply(value);
  }
}
