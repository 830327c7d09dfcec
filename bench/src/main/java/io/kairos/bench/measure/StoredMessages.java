package io.kairos.bench.measure;

import io.kairos.bench.load.BenchWait;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Messages of a route in the store, asked of Postgres and not of Kairos. */
public record StoredMessages(Connection connection, String route) {
  /** Table of the messages. */
  public static final String TABLE = "delayed_message";

  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  /** Records of the input topic that are dealt with: the sum of the stored positions. */
  public long takenIn() {
    return number(
        "select coalesce(sum(p.next_offset), 0) from input_position p join route r on r.id = p.route_id"
            + " where r.name = ?");
  }

  /** Rows due before the given moment, in all or since. Scans the table. */
  public long dueBefore(long micros) {
    return number(
        "select count(*) from delayed_message m join route r on r.id = m.route_id where r.name = ?"
            + " and m.deadline < "
            + micros);
  }

  /** Waits until so many records are dealt with; false when it takes longer. */
  public boolean awaitTakenIn(long records, Duration atMost) throws SQLException {
    return BenchWait.until(() -> takenIn() >= records, atMost, LOOK_EVERY);
  }

  private long number(String sql) {
    try {
      return BenchSql.one(connection, row -> row.getLong(1), sql, route);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot ask the store what it holds", e);
    }
  }
}
