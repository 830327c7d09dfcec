package io.kairos.bench.task;

import io.kairos.bench.report.Shown;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.StringJoiner;

/**
 * What the store says when a run is over, without the tasks that only stood by.
 *
 * @param unfinished tasks that are still among the live ones
 * @param succeeded tasks in the history as succeeded
 * @param otherwise tasks in the history with another end
 */
public record TaskStoreCount(long unfinished, long succeeded, long otherwise) {
  /** The collection of tasks that are there to be in the way of others. */
  public static final String BYSTANDERS = "bystanders";

  private static final String UNFINISHED =
      "select count(*) from task where collection is distinct from 'bystanders'";

  private static final String LEFT =
      """
      select state, attempt, (next_trigger - extract(epoch from now()) * 1000000)::bigint / 1000, count(*)
      from task where collection is distinct from 'bystanders'
      group by 1, 2, 3 order by 4 desc limit 10
      """;

  private static final String COUNT =
      """
      select (select count(*) from task where collection is distinct from 'bystanders'),
        count(*) filter (where state = 'S'),
        count(*) filter (where state <> 'S')
      from finished_task where collection is distinct from 'bystanders'
      """;

  public static TaskStoreCount of(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(COUNT)) {
      row.next();
      return new TaskStoreCount(row.getLong(1), row.getLong(2), row.getLong(3));
    }
  }

  /** The first of the figures alone: however long the history is. */
  public static long unfinished(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(UNFINISHED)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** What those are that have not ended, in words, for whoever looks for the reason. */
  static String left(Connection connection) throws SQLException {
    StringJoiner words = new StringJoiner("; ");
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(LEFT)) {
      while (row.next()) {
        words.add(
            "%d in state %s after %d attempts, trigger in %d ms"
                .formatted(row.getLong(4), row.getString(1), row.getInt(2), row.getLong(3)));
      }
    }
    return words.toString();
  }

  /** Whether all have ended, and well. */
  public boolean isClean() {
    return unfinished == 0 && otherwise == 0;
  }

  @Override
  public String toString() {
    return "%s succeeded, %s ended otherwise, %s unfinished"
        .formatted(Shown.count(succeeded), Shown.count(otherwise), Shown.count(unfinished));
  }

  /** What came after another count. */
  public TaskStoreCount since(TaskStoreCount before) {
    return new TaskStoreCount(
        unfinished - before.unfinished, succeeded - before.succeeded, otherwise - before.otherwise);
  }
}
