package io.kairos.postgres.task;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TraceContext;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a task was given, as ten columns in the order in which every statement returns them: the
 * payload, four of the retry policy, execution timeout, ordering key, collection, start deadline,
 * trace.
 */
final class TaskDetailsRows {
  private TaskDetailsRows() {}

  /**
   * Reads all but the payload.
   *
   * @param first the column of the payload
   * @param payload what is in that column, or stands for it
   */
  static TaskDetails read(ResultSet row, int first, byte[] payload) throws SQLException {
    Long timeoutMicros = micros(row, first + 5);
    String key = row.getString(first + 6);
    String collection = row.getString(first + 7);
    String traceparent = row.getString(first + 9);
    return new TaskDetails(
        payload,
        Policies.own(row, first + 1),
        timeoutMicros == null ? null : Duration.of(timeoutMicros, ChronoUnit.MICROS),
        key == null ? null : new OrderingKey(key),
        collection == null ? null : new CollectionName(collection),
        micros(row, first + 8),
        traceparent == null ? null : new TraceContext(traceparent));
  }

  private static @Nullable Long micros(ResultSet row, int column) throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull() ? null : (Long) micros;
  }
}
