package io.kairos.cli.imports;

import io.kairos.api.text.ResourceText;
import java.sql.ResultSet;
import java.sql.SQLException;

/** SQL statements in resource files of this package. */
final class ImportStatement {
  private ImportStatement() {}

  /**
   * Returns the text of a statement.
   *
   * @param table replaces {@code ${table}}; letters, digits, dots and underscores only
   */
  static String load(String name, String table) {
    if (!table.matches("[A-Za-z0-9_.]*")) {
      throw new IllegalArgumentException(
          "'" + table + "': a table is named by letters, digits, dots and underscores");
    }
    return ResourceText.of(ImportStatement.class, name + ".sql").replace("${table}", table);
  }

  /** Returns the text of a column. Throws {@link IllegalArgumentException} when there is none. */
  static String text(ResultSet row, String column) throws SQLException {
    String text = row.getString(column);
    if (text == null) {
      throw new IllegalArgumentException("has no " + column);
    }
    return text;
  }
}
