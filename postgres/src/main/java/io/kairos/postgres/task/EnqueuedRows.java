package io.kairos.postgres.task;

import io.kairos.domain.task.QueueId;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.postgres.sql.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Rows of tasks as the statements return them that put tasks on queues. */
final class EnqueuedRows {
  private EnqueuedRows() {}

  static EnqueuedTask read(ResultSet row) throws SQLException {
    return new EnqueuedTask(
        Fenced.read(row),
        queue(row),
        row.getLong(4),
        row.getLong(5),
        row.getInt(6),
        Columns.bytes(row, 9),
        executionTimeout(row, 7),
        row.getString(8),
        KeyRows.key(row, 10),
        Labels.key(row, 11),
        Labels.collection(row, 12));
  }

  static QueueId queue(ResultSet row) throws SQLException {
    return new QueueId(row.getInt(3));
  }

  /** Only those have their payload that were put on a queue. */
  static boolean isEnqueued(ResultSet row) throws SQLException {
    return row.getBytes(9) != null;
  }

  private static @Nullable Duration executionTimeout(ResultSet row, int column)
      throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull() ? null : Duration.of(micros, ChronoUnit.MICROS);
  }
}
