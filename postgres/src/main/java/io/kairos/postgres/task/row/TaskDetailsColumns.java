package io.kairos.postgres.task.row;

import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.postgres.sql.NullableColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The details of a task as thirteen columns, in the order in which every statement returns them:
 * payload, four of the retry policy, execution timeout, ordering key, collection, start deadline,
 * trace, fairness key and weight, limits.
 */
public final class TaskDetailsColumns {
  /** How many columns they are. */
  public static final int COUNT = 13;

  private TaskDetailsColumns() {}

  /**
   * Reads all but the payload.
   *
   * @param first the number of the column of the payload
   * @param payload the payload, or a substitute for it
   */
  public static TaskDetails read(ResultSet row, int first, byte[] payload) throws SQLException {
    return new TaskDetails(
        payload,
        RetryPolicyColumns.own(row, first + 1),
        NullableColumns.number(row, first + 5, EpochMicros::toDuration),
        NullableColumns.text(row, first + 6, OrderingKey::new),
        NullableColumns.text(row, first + 7, CollectionName::new),
        NullableColumns.number(row, first + 8, Long::valueOf),
        NullableColumns.text(row, first + 9, TraceContext::new),
        fairness(row, first + 10, first + 11),
        TaskLimits.ofStored(row.getString(first + 12)));
  }

  /** Reads a fairness key with its weight; null for none. */
  public static @Nullable Fairness fairness(ResultSet row, int key, int weight)
      throws SQLException {
    String given = row.getString(key);
    return given == null ? null : new Fairness(given, row.getInt(weight));
  }
}
