package io.kairos.postgres.task;

import io.kairos.domain.task.QueueId;
import io.kairos.engine.task.port.EnqueuedTask;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Rows of tasks as the statements return them that put tasks on queues. */
final class EnqueuedRows {
  private static final int DETAILS = 8;

  private EnqueuedRows() {}

  /** Null for what was not put on a queue, which has no payload. */
  static @Nullable EnqueuedTask read(ResultSet row) throws SQLException {
    byte[] payload = row.getBytes(DETAILS);
    return payload == null
        ? null
        : new EnqueuedTask(
            Fenced.read(row),
            queue(row),
            row.getLong(4),
            row.getLong(5),
            row.getInt(6),
            KeyRows.key(row, 7),
            TaskDetailsRows.read(row, DETAILS, payload));
  }

  static QueueId queue(ResultSet row) throws SQLException {
    return new QueueId(row.getInt(3));
  }
}
