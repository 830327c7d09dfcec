package io.kairos.postgres.task;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.engine.task.port.TaskStepStore;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Has tasks wait for others no more when these end, and again when they are put back. Rows are
 * locked in this order, after those that end a task: edges, counts of open edges, successors. Edges
 * and successors that a peer has locked are skipped and looked at again later by {@link
 * EndsToFollow}, so that no two transactions wait for each other both ways.
 */
final class TaskGraphs {
  private static final SqlStatement CLOSE = SqlStatement.load("task/edge_close.sql");
  private static final SqlStatement COUNT = SqlStatement.load("task/edge_count.sql");
  private static final SqlStatement READY = SqlStatement.load("task/edge_ready.sql");
  private static final SqlStatement LEFT = SqlStatement.load("task/edge_left.sql");
  private static final SqlStatement MARK = SqlStatement.load("task/edge_mark.sql");
  private static final SqlStatement PUT_BACK = SqlStatement.load("task/edge_put_back.sql");

  private TaskGraphs() {}

  /** Successors by their ids: those behind one, up to another. */
  record Successors(UUID after, UUID upTo) {
    static final Successors ALL = new Successors(new UUID(0, 0), new UUID(-1, -1));
  }

  /**
   * Makes the successors ready that wait for just these ends, as many as one transaction may.
   *
   * @param ends ended tasks that others wait for, by their ids
   * @return the queues of the successors that wait for their due time now
   */
  static Set<QueueId> follow(Connection connection, SortedMap<TaskId, TaskState> ends) {
    if (ends.isEmpty()) {
      return Set.of();
    }
    BinaryArray ids = ColumnBatch.uuids(ends.keySet(), TaskId::value);
    BinaryArray states = ColumnBatch.texts(ends.values(), TaskStateColumn::code);
    Set<QueueId> queues =
        satisfy(connection, ids, states, Successors.ALL, TaskStepStore.MOST_READY_AT_ONCE);
    LEFT.on(connection).with("ids", ids).with("states", states).update();
    return queues;
  }

  /**
   * Closes edges that these ends satisfy.
   *
   * @param ids the tasks that have ended, sorted
   * @param states their ends
   * @param limit most edges
   * @return the queues of the successors that wait for their due time now
   */
  static Set<QueueId> satisfy(
      Connection connection,
      BinaryArray ids,
      BinaryArray states,
      Successors successors,
      int limit) {
    SortedMap<TaskId, Integer> closed = new TreeMap<>();
    CLOSE
        .on(connection)
        .with("ids", ids)
        .with("states", states)
        .with("after", successors.after())
        .with("up_to", successors.upTo())
        .with("max_edges", limit)
        .each(row -> closed.put(new TaskId(NonNullColumns.uuid(row, 1)), row.getInt(2)));
    if (closed.isEmpty()) {
      return Set.of();
    }
    List<TaskId> complete = new ArrayList<>();
    COUNT
        .on(connection)
        .with("ids", ColumnBatch.uuids(closed.keySet(), TaskId::value))
        .with("closed", ColumnBatch.ints(closed.values(), Integer::intValue))
        .each(row -> {
          if (row.getInt(2) == 0) {
            complete.add(new TaskId(NonNullColumns.uuid(row, 1)));
          }
        });
    return ready(connection, complete);
  }

  /** Makes awaiting tasks without open edges wait for their due time, and returns their queues. */
  static Set<QueueId> ready(Connection connection, List<TaskId> complete) {
    return complete.isEmpty()
        ? Set.of()
        : READY
            .on(connection)
            .with("ids", ColumnBatch.uuids(complete.stream().sorted().toList(), TaskId::value))
            .set(row -> new QueueId(row.getInt(1)));
  }

  /**
   * Has tasks that were just put back wait for others, and others for them, as before, and their
   * batches end again.
   */
  static void putBack(Connection connection, Collection<TaskId> tasks) {
    if (!tasks.isEmpty()) {
      BinaryArray ids = ColumnBatch.uuids(tasks.stream().sorted().toList(), TaskId::value);
      PostgresBatches.reopen(connection, tasks);
      MARK.on(connection).with("ids", ids).update();
      PUT_BACK.on(connection).with("ids", ids).update();
    }
  }
}
