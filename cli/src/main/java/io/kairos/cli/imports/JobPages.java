package io.kairos.cli.imports;

import static io.kairos.cli.imports.ImportStatement.text;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads a table of jobs by pages of its key. Neither the memory nor a transaction grows with the
 * table, and jobs that come or end meanwhile do not disturb.
 */
public final class JobPages {
  /** A page ends behind the row that reaches this size, whatever the statement would return. */
  private static final long MOST_BYTES = 4 << 20;

  /** Rows that the driver holds at a time, each of at most a megabyte. */
  private static final int FETCHED = 10;

  private JobPages() {}

  /**
   * Reads all jobs that have not ended. No transaction is open while a reading is handed over.
   *
   * @param connection without autocommit
   * @param prefix what stands before the name of the table, as its statement wants it
   */
  public static void read(
      Connection connection, String prefix, OriginTable table, Consumer<JobReading> into)
      throws SQLException {
    String statement = ImportStatement.load(table.statement(), prefix);
    List<JobRow> page = page(connection, statement, table.start());
    while (!page.isEmpty()) {
      page.forEach(row -> into.accept(reading(table, row)));
      page = page(connection, statement, page.getLast().key());
    }
  }

  private static List<JobRow> page(Connection connection, String statement, List<String> after)
      throws SQLException {
    List<JobRow> page = new ArrayList<>();
    try (PreparedStatement rows = connection.prepareStatement(statement)) {
      for (int i = 0; i < after.size(); i++) {
        rows.setString(i + 1, after.get(i));
      }
      rows.setFetchSize(FETCHED);
      long bytes = 0;
      try (ResultSet row = rows.executeQuery()) {
        while (bytes < MOST_BYTES && row.next()) {
          List<String> key = new ArrayList<>();
          for (int i = 1; i <= after.size(); i++) {
            key.add(text(row, "key_" + i));
          }
          JobRow read =
              new JobRow(
                  key, row.getString("fields"), row.getString("payload"), row.getLong("bytes"));
          page.add(read);
          bytes += read.held();
        }
      }
    }
    connection.rollback(); // it only reads
    return page;
  }

  private static JobReading reading(OriginTable table, JobRow row) {
    try {
      return table.reading(row);
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      return new JobReading.Refused(table.place(row.key()), String.valueOf(e.getMessage()));
    }
  }
}
