package io.kairos.postgres.task;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.UnfinishedTasks;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shows graphs of tasks, and finds what of them is to be cancelled. Locks nothing. */
final class GraphViews {
  private static final SqlStatement GRAPH = SqlStatement.load("task/edge_graph.sql");
  private static final SqlStatement QUEUES = SqlStatement.load("task/edge_queues.sql");
  private static final SqlStatement BETWEEN = SqlStatement.load("task/edge_between.sql");
  private static final SqlStatement UNFINISHED = SqlStatement.load("task/edge_unfinished.sql");

  /** Most tasks that one search for unfinished ones walks over; that takes about a second. */
  private static final int MOST_WALKED = 200_000;

  private GraphViews() {}

  /** The queues of tasks, unfinished or ended. */
  static Map<TaskId, QueueName> queues(Connection connection, Collection<TaskId> ids) {
    Map<TaskId, QueueName> queues = new HashMap<>();
    for (List<TaskId> some : EdgePlacement.inStatements(ids.stream().sorted().toList())) {
      queues.putAll(
          QUEUES
              .on(connection)
              .with("ids", ColumnBatch.uuids(some, TaskId::value))
              .map(
                  row -> new TaskId(NonNullColumns.uuid(row, 1)),
                  row ->
                      new QueueName(
                          TaskHandler.ofWireName(NonNullColumns.text(row, 2)), row.getInt(3))));
    }
    return queues;
  }

  static TaskGraphView view(Connection connection, TaskId id, int maxTasks, int maxEdges) {
    List<TaskId> members = new ArrayList<>();
    Map<TaskId, TaskState> states = new HashMap<>();
    GRAPH
        .on(connection)
        .with("id", id.value())
        .with("max_tasks", maxTasks + 1)
        .each(row -> {
          TaskId member = new TaskId(NonNullColumns.uuid(row, 1));
          String state = row.getString(2);
          if (members.size() < maxTasks && state != null) {
            states.put(member, TaskStateColumn.of(state));
          }
          members.add(member);
        });
    boolean hasMore = members.size() > maxTasks;
    List<TaskId> shown = hasMore ? members.subList(0, maxTasks) : members;
    List<TaskGraphView.Edge> edges =
        BETWEEN
            .on(connection)
            .with("ids", ColumnBatch.uuids(shown, TaskId::value))
            .with("max_edges", maxEdges + 1)
            .list(row ->
                new TaskGraphView.Edge(
                    new GraphEdge(
                        new TaskId(NonNullColumns.uuid(row, 1)),
                        new TaskId(NonNullColumns.uuid(row, 2)),
                        OnFailureColumn.of(NonNullColumns.text(row, 3))),
                    row.getBoolean(4)));
    boolean hasMoreEdges = edges.size() > maxEdges;
    return new TaskGraphView(
        states, hasMoreEdges ? edges.subList(0, maxEdges) : edges, hasMore || hasMoreEdges);
  }

  static UnfinishedTasks unfinishedFrom(Connection connection, TaskId id, int limit) {
    List<TaskId> found = new ArrayList<>();
    boolean isWhole =
        UNFINISHED
            .on(connection)
            .with("id", id.value())
            .with("max_walked", MOST_WALKED)
            .with("max_tasks", limit + 1)
            .list(row -> {
              TaskId task = NullableColumns.uuid(row, 2, TaskId::new);
              if (task != null) {
                found.add(task);
              }
              return row.getLong(1) <= MOST_WALKED;
            })
            .getFirst();
    boolean hasMore = found.size() > limit;
    return new UnfinishedTasks(hasMore ? found.subList(0, limit) : found, hasMore || !isWhole);
  }
}
