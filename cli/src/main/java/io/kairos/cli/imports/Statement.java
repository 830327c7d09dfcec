package io.kairos.cli.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Statements in files beside these classes. */
final class Statement {
  private Statement() {}

  /**
   * The text of one.
   *
   * @param table takes the place of {@code ${table}}: only letters, digits, dots and underscores
   */
  static String load(String name, String table) {
    if (!table.matches("[A-Za-z0-9_.]*")) {
      throw new IllegalArgumentException(
          "'" + table + "': a table is named by letters, digits, dots and underscores");
    }
    try (InputStream file = Statement.class.getResourceAsStream(name + ".sql")) {
      return new String(requireNonNull(file, name).readAllBytes(), UTF_8)
          .replace("${table}", table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A column that is never null. */
  static String text(ResultSet row, String column) throws SQLException {
    return requireNonNull(row.getString(column), column);
  }
}
