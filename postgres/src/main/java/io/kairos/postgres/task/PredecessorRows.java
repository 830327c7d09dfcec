package io.kairos.postgres.task;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.PredecessorQuery;
import io.kairos.engine.task.port.Predecessors;
import io.kairos.engine.task.port.Predecessors.Predecessor;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what tasks have waited for, of all tasks by one statement. */
final class PredecessorRows {
  private static final SqlStatement RESULTS = SqlStatement.load("task/edge_results.sql");

  private PredecessorRows() {}

  static Map<TaskId, Predecessors> read(Connection connection, List<PredecessorQuery> queries) {
    List<PredecessorQuery> sorted =
        queries.stream().sorted(Comparator.comparing(PredecessorQuery::successor)).toList();
    Map<TaskId, List<Predecessor>> found = new HashMap<>();
    Set<TaskId> more = new HashSet<>();
    RESULTS
        .on(connection)
        .with("ids", ColumnBatch.uuids(sorted, query -> query.successor().value()))
        .with("limits", ColumnBatch.ints(sorted, PredecessorQuery::limit))
        .with("rooms", ColumnBatch.ints(sorted, PredecessorQuery::bytes))
        .with("entry_bytes", Predecessors.ENTRY_BYTES)
        .with("max_bytes", Predecessors.MOST_BYTES)
        .each(row -> {
          TaskId successor = new TaskId(NonNullColumns.uuid(row, 1));
          found.computeIfAbsent(successor, _ -> new ArrayList<>()).add(predecessor(row));
          if (row.getBoolean(3)) {
            more.add(successor);
          }
        });
    Map<TaskId, Predecessors> all = new HashMap<>();
    queries.forEach(query -> all.put(query.successor(), Predecessors.NONE));
    found.forEach(
        (successor, some) -> all.put(successor, new Predecessors(some, !more.contains(successor))));
    return all;
  }

  private static Predecessor predecessor(ResultSet row) throws SQLException {
    return new Predecessor(
        new TaskId(NonNullColumns.uuid(row, 2)),
        NullableColumns.text(row, 4, TaskHandler::ofWireName),
        NullableColumns.text(row, 5, TaskStateColumn::of),
        value(row),
        row.getInt(6),
        row.getBoolean(9));
  }

  private static @Nullable TaskResult value(ResultSet row) throws SQLException {
    byte[] value = row.getBytes(7);
    if (value == null) {
      return null;
    }
    String type = row.getString(8);
    return new TaskResult(value, type == null ? "" : type);
  }
}
