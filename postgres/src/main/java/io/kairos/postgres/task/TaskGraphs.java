package io.kairos.postgres.task;

import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.EdgeEffect;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.SweptEdges;
import io.kairos.engine.task.port.TaskStepStore;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.UnfinishedTasks;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.LockWaits;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what ends of tasks mean for their successors. Rows are locked in this order, after
 * those that end a task: edges, counts of open edges, successors. Edges and successors that a peer
 * has locked are skipped and looked at again later, so that no two transactions wait for each other
 * both ways.
 */
final class TaskGraphs {
  private static final SqlStatement CLOSE = SqlStatement.load("task/edge_close.sql");
  private static final SqlStatement COUNT = SqlStatement.load("task/edge_count.sql");
  private static final SqlStatement READY = SqlStatement.load("task/edge_ready.sql");
  private static final SqlStatement LATE = SqlStatement.load("task/edge_late.sql");
  private static final SqlStatement LEFT = SqlStatement.load("task/edge_left.sql");
  private static final SqlStatement TO_FOLLOW = SqlStatement.load("task/edge_to_follow.sql");
  private static final SqlStatement ENDED = SqlStatement.load("task/edge_ended.sql");
  private static final SqlStatement TAKE = SqlStatement.load("task/edge_take.sql");
  private static final SqlStatement FAILING = SqlStatement.load("task/edge_failing.sql");
  private static final SqlStatement DONE = SqlStatement.load("task/edge_done.sql");
  private static final SqlStatement MARK = SqlStatement.load("task/edge_mark.sql");
  private static final SqlStatement PUT_BACK = SqlStatement.load("task/edge_put_back.sql");
  private static final SqlStatement SWEEP = SqlStatement.load("task/edge_sweep.sql");
  private static final SqlStatement GRAPH = SqlStatement.load("task/edge_graph.sql");
  private static final SqlStatement QUEUES = SqlStatement.load("task/edge_queues.sql");
  private static final SqlStatement BETWEEN = SqlStatement.load("task/edge_between.sql");
  private static final SqlStatement UNFINISHED = SqlStatement.load("task/edge_unfinished.sql");

  /** Most tasks that one search for unfinished ones walks over; that takes about a second. */
  private static final int MOST_WALKED = 200_000;

  /** As the end of a task that was removed. */
  private static final String FORGOTTEN = "G";

  /** Ends in one call that may fail otherwise than by a lock of a peer. */
  private static final int MOST_FAILURES = 3;

  private static final UUID FIRST = new UUID(0, 0);

  private TaskGraphs() {}

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
    Set<QueueId> queues = satisfy(connection, ids, states, TaskStepStore.MOST_READY_AT_ONCE);
    LEFT.on(connection).with("ids", ids).with("states", states).update();
    return queues;
  }

  private static Set<QueueId> satisfy(
      Connection connection, BinaryArray ids, BinaryArray states, int limit) {
    SortedMap<TaskId, Integer> closed = new TreeMap<>();
    CLOSE
        .on(connection)
        .with("ids", ids)
        .with("states", states)
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

  private static Set<QueueId> ready(Connection connection, List<TaskId> complete) {
    return complete.isEmpty()
        ? Set.of()
        : READY
            .on(connection)
            .with("ids", ColumnBatch.uuids(complete.stream().sorted().toList(), TaskId::value))
            .set(row -> new QueueId(row.getInt(1)));
  }

  /**
   * See {@link TaskStepStore#followEnds}. Each end has two transactions of its own. When one fails,
   * perhaps because an application's transaction has locked the key of a successor, the others are
   * followed nevertheless, and the first failure is thrown at the end.
   */
  static int followEnds(SqlDatabase database, int limit) {
    int found =
        database.single(
            "marking tasks that others wait for",
            connection ->
                TO_FOLLOW.on(connection).with("max_notes", limit).one(row -> row.getInt(1)));
    List<TaskId> late = ids(database, "looking for tasks that are ready", LATE, limit);
    if (!late.isEmpty()) {
      found += database.single("readying tasks", connection -> ready(connection, late)).size();
    }
    LockWaits waits = new LockWaits();
    List<StoreUnavailable> failures = new ArrayList<>();
    int others = 0;
    for (TaskId end : ids(database, "looking for ends", ENDED, limit)) {
      int before = failures.size();
      try {
        // Failures come first, alone: they lock keys and quotas, which come before counts of edges.
        waits.together(
            List.of(end),
            (_, longestWait) -> affect(database, end, limit, longestWait, failures),
            _ -> {});
        boolean isTaken =
            failures.size() == before
                && database.transaction(
                    "readying tasks after an end", connection -> satisfy(connection, end, limit));
        found += isTaken ? 1 : 0;
      } catch (StoreUnavailable e) {
        if (failures.size() == before) {
          failures.add(e);
        }
        if (++others == MOST_FAILURES) {
          break;
        }
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
    return found;
  }

  private static void affect(
      SqlDatabase database,
      TaskId end,
      int limit,
      Duration longestWait,
      List<StoreUnavailable> failures) {
    try {
      database.transaction(
          "failing tasks with a predecessor",
          connection -> {
            LockWaits.bound(connection, longestWait);
            return affect(connection, end, limit);
          });
    } catch (StoreUnavailable e) {
      failures.add(e);
      throw e;
    }
  }

  private static List<TaskId> ids(
      SqlDatabase database, String what, SqlStatement statement, int limit) {
    return database
        .call(what, statement)
        .with("max_tasks", limit)
        .list(row -> new TaskId(NonNullColumns.uuid(row, 1)));
  }

  /**
   * An end whose row of task_ended is locked.
   *
   * @param state null when the task was removed
   */
  private record End(TaskId task, @Nullable TaskState state) {
    boolean isUnfinished() {
      return state != null && !state.isFinished();
    }

    String code() {
      return state == null ? FORGOTTEN : TaskStateColumn.code(state);
    }

    BinaryArray onFailures(Predicate<EdgeEffect> which) {
      return ColumnBatch.texts(
          Arrays.stream(OnFailure.values()).filter(one -> which.test(effect(one))).toList(),
          OnFailureColumn::code);
    }

    private EdgeEffect effect(OnFailure onFailure) {
      TaskState end = state;
      if (end == null) {
        return EdgeEffect.ofForgotten(onFailure);
      }
      // a task that was put back ends again, which is followed then
      return end.isFinished() ? EdgeEffect.of(onFailure, end) : EdgeEffect.STAYS_OPEN;
    }
  }

  private static Optional<End> take(Connection connection, TaskId end) {
    return TAKE.on(connection)
        .with("id", end.value())
        .optional(row -> {
          String state = row.getString(1);
          return new End(end, state == null ? null : TaskStateColumn.of(state));
        });
  }

  private static int affect(Connection connection, TaskId id, int limit) {
    Optional<End> taken = take(connection, id).filter(end -> !end.isUnfinished());
    return taken.isEmpty()
        ? 0
        : affect(connection, taken.get(), EdgeEffect.FAILS, limit)
            + affect(connection, taken.get(), EdgeEffect.CANCELS, limit);
  }

  /** An end has one of the two effects at most, so that keys are locked once. */
  private static int affect(Connection connection, End end, EdgeEffect effect, int limit) {
    if (Arrays.stream(OnFailure.values()).noneMatch(one -> end.effect(one) == effect)) {
      return 0;
    }
    List<TaskId> tasks = new ArrayList<>();
    Map<TaskId, OrderingKeyId> keyed = new LinkedHashMap<>();
    FAILING
        .on(connection)
        .with("id", end.task().value())
        .with("on_failures", end.onFailures(one -> one == effect))
        .with("max_tasks", limit)
        .each(row -> {
          TaskId task = new TaskId(NonNullColumns.uuid(row, 1));
          OrderingKeyId key = KeyRows.key(row, 2);
          tasks.add(task);
          if (key != null) {
            keyed.put(task, key);
          }
        });
    if (effect == EdgeEffect.CANCELS) {
      TaskEnds.end(connection, tasks, keyed, TaskState.CANCELLED, null);
    } else {
      TaskEnds.end(connection, tasks, keyed, TaskState.FAILED, failure(end));
    }
    return tasks.size();
  }

  private static String failure(End end) {
    return end.state() == null
        ? "its predecessor " + end.task() + " was removed before it had succeeded"
        : "its predecessor " + end.task() + " failed";
  }

  /** Returns false when a peer is about to do it, or has done it. */
  private static boolean satisfy(Connection connection, TaskId id, int limit) {
    Optional<End> taken = take(connection, id);
    if (taken.isEmpty()) {
      return false;
    }
    End end = taken.get();
    if (!end.isUnfinished()) {
      satisfy(
          connection,
          BinaryArray.uuids(new UUID[] {id.value()}),
          ColumnBatch.texts(List.of(end.code()), one -> one),
          limit);
    }
    DONE.on(connection)
        .with("id", id.value())
        .with("satisfied", end.onFailures(one -> one == EdgeEffect.SATISFIED))
        .with(
            "on_failures",
            end.onFailures(one -> one == EdgeEffect.FAILS || one == EdgeEffect.CANCELS))
        .update();
    return true;
  }

  /** Has tasks that were just put back wait for others, and others for them, as before. */
  static void putBack(Connection connection, Collection<TaskId> tasks) {
    if (!tasks.isEmpty()) {
      BinaryArray ids = ColumnBatch.uuids(tasks.stream().sorted().toList(), TaskId::value);
      MARK.on(connection).with("ids", ids).update();
      PUT_BACK.on(connection).with("ids", ids).update();
    }
  }

  static SweptEdges sweep(Connection connection, Optional<SweptEdges.Position> after, int limit) {
    return SWEEP
        .on(connection)
        .with("predecessor", after.map(edge -> edge.predecessor().value()).orElse(FIRST))
        .with("successor", after.map(edge -> edge.successor().value()).orElse(FIRST))
        .with("max_edges", limit)
        .optional(row ->
            new SweptEdges(
                new SweptEdges.Position(
                    new TaskId(NonNullColumns.uuid(row, 1)),
                    new TaskId(NonNullColumns.uuid(row, 2))),
                row.getInt(3)))
        .orElse(SweptEdges.NONE);
  }

  /** The queues of tasks, unfinished or ended. */
  static Map<TaskId, QueueName> queues(Connection connection, Collection<TaskId> ids) {
    return QUEUES
        .on(connection)
        .with("ids", ColumnBatch.uuids(ids.stream().sorted().toList(), TaskId::value))
        .map(
            row -> new TaskId(NonNullColumns.uuid(row, 1)),
            row ->
                new QueueName(TaskHandler.ofWireName(NonNullColumns.text(row, 2)), row.getInt(3)));
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
