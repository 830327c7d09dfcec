package io.kairos.bench.task;

import io.kairos.bench.measure.BenchSql;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The store's counts of tasks.
 *
 * @param unfinished tasks that are still among the live ones
 * @param succeeded tasks in the history as succeeded
 * @param otherwise tasks in the history with another end
 */
public record TaskStoreCount(long unfinished, long succeeded, long otherwise) {
  private static final String UNFINISHED = "select count(*) from task";

  private static final String COUNT =
      """
      select (select count(*) from task),
        count(*) filter (where state = 'S'),
        count(*) filter (where state <> 'S')
      from finished_task
      """;

  public static TaskStoreCount of(Connection connection) throws SQLException {
    return BenchSql.one(
        connection,
        row -> new TaskStoreCount(row.getLong(1), row.getLong(2), row.getLong(3)),
        COUNT);
  }

  /** The first of the figures alone: however long the history is. */
  public static long unfinished(Connection connection) throws SQLException {
    return BenchSql.number(connection, UNFINISHED);
  }

  /** The difference from an earlier count. */
  public TaskStoreCount since(TaskStoreCount before) {
    return new TaskStoreCount(
        unfinished - before.unfinished, succeeded - before.succeeded, otherwise - before.otherwise);
  }
}
