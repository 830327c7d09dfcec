package io.kairos.postgres.task;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.TaskStepStore;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.EnqueuedRows.Woken;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Has tasks wait for others no more when these end, and again when they are put back. Rows are
 * locked in this order, after those that end a task: edges, counts of open edges, successors. Edges
 * and successors that a peer has locked are skipped and looked at again later by {@link
 * EndsToFollow}, so that no two transactions wait for each other both ways.
 */
final class TaskGraphs {
  private static final SqlStatement CLOSE = SqlStatement.load("task/edge_close.sql");
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
   * What has become of the successors of some ends.
   *
   * @param ready those that wait no more
   * @param isLeft true when not all have been told
   */
  record Followed(Woken ready, boolean isLeft) {}

  /**
   * Makes the successors ready that wait for just these ends, as many as one transaction may.
   *
   * @param ends ended tasks that others wait for, by their ids
   * @param onto the node and the room for ready tasks; null to put none on queues
   */
  static Followed follow(
      Connection connection, SortedMap<TaskId, TaskState> ends, @Nullable EnqueueRequest onto) {
    if (ends.isEmpty()) {
      return new Followed(new Woken(), false);
    }
    BinaryArray ids = ColumnBatch.uuids(ends.keySet(), TaskId::value);
    BinaryArray states = ColumnBatch.texts(ends.values(), TaskStateColumn::code);
    Woken ready =
        satisfy(connection, ids, states, Successors.ALL, TaskStepStore.MOST_READY_AT_ONCE, onto);
    return new Followed(
        ready, LEFT.on(connection).with("ids", ids).with("states", states).update() > 0);
  }

  /**
   * Closes edges that these ends satisfy.
   *
   * @param ids the tasks that have ended, sorted
   * @param states their ends
   * @param limit most edges
   * @param onto the node and the room for ready tasks; null to put none on queues
   * @return the successors that wait no more
   */
  static Woken satisfy(
      Connection connection,
      BinaryArray ids,
      BinaryArray states,
      Successors successors,
      int limit,
      @Nullable EnqueueRequest onto) {
    SortedMap<TaskId, Integer> closed = new TreeMap<>();
    CLOSE
        .on(connection)
        .with("ids", ids)
        .with("states", states)
        .with("after", successors.after())
        .with("up_to", successors.upTo())
        .with("max_edges", limit)
        .each(row -> closed.put(new TaskId(NonNullColumns.uuid(row, 1)), row.getInt(2)));
    return ready(connection, closed, onto);
  }

  /**
   * Takes closed edges from those that awaiting tasks wait for, and makes tasks ready.
   *
   * @param closed how many edges of each task
   * @param onto the node and the room for ready tasks; null to put none on queues
   * @return the tasks that wait no more
   */
  static Woken ready(
      Connection connection, SortedMap<TaskId, Integer> closed, @Nullable EnqueueRequest onto) {
    return closed.isEmpty()
        ? new Woken()
        : EnqueuedRows.wake(
            READY
                .on(connection)
                .with("ids", ColumnBatch.uuids(closed.keySet(), TaskId::value))
                .with("closed", ColumnBatch.ints(closed.values(), Integer::intValue)),
            onto);
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
