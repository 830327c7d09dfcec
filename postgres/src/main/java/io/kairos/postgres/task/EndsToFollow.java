package io.kairos.postgres.task;

import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.EdgeEffect;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.FollowedEnds;
import io.kairos.engine.task.port.SweptEdges;
import io.kairos.engine.task.port.TaskStepStore;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.TaskGraphs.Successors;
import io.kairos.postgres.task.row.LockWaits;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Ends of tasks of whose successors some have not been told: what the transactions that ended the
 * tasks have left. The successors of an end are told in the order of their ids, some at a time, and
 * the end keeps how far that has come, so that a wide fan-out is passed over once. Only then all of
 * its edges are looked at, and it begins anew when some were locked by a peer, or new. One object
 * for each call of the store; one thread.
 */
final class EndsToFollow {
  private static final SqlStatement TO_FOLLOW = SqlStatement.load("task/edge_to_follow.sql");
  private static final SqlStatement LATE = SqlStatement.load("task/edge_late.sql");
  private static final SqlStatement ENDED = SqlStatement.load("task/edge_ended.sql");
  private static final SqlStatement TAKE = SqlStatement.load("task/edge_take.sql");
  private static final SqlStatement FAILING = SqlStatement.load("task/edge_failing.sql");
  private static final SqlStatement FOLLOWED = SqlStatement.load("task/edge_followed.sql");
  private static final SqlStatement DONE = SqlStatement.load("task/edge_done.sql");
  private static final SqlStatement SWEEP = SqlStatement.load("task/edge_sweep.sql");

  /** As the end of a task that was removed. */
  private static final String FORGOTTEN = "G";

  /** Failures in one call that are not by a lock of a peer. */
  private static final int MOST_FAILURES = 3;

  private final SqlDatabase database;
  private final int limit;
  private final LockWaits waits = new LockWaits();

  /** The first failure; null for none. */
  private @Nullable StoreUnavailable failure;

  /** Failures that are not by a lock of a peer. */
  private int failures;

  private EndsToFollow(SqlDatabase database, int limit) {
    this.database = database;
    this.limit = limit;
  }

  /**
   * See {@link TaskStepStore#followEnds}. Each end has two transactions of its own. When one fails,
   * perhaps because an application's transaction has locked the key of a successor, the others are
   * followed nevertheless.
   */
  static FollowedEnds follow(SqlDatabase database, Optional<TaskId> after, int limit) {
    return new EndsToFollow(database, limit).follow(after);
  }

  private FollowedEnds follow(Optional<TaskId> after) {
    int found = markFollowed() + readyLate();
    List<TaskId> ends =
        ids(
            database
                .call("looking for ends", ENDED)
                .with("after", after.map(TaskId::value).orElse(Successors.ALL.after())));
    TaskId last = ends.size() < limit ? null : ends.getLast();
    for (TaskId end : ends) {
      found += follow(end) ? 1 : 0;
      if (failures >= MOST_FAILURES) {
        last = end;
        break;
      }
    }
    return new FollowedEnds(last, found, failure);
  }

  private List<TaskId> ids(SqlCall call) {
    return call.with("max_tasks", limit).list(row -> new TaskId(NonNullColumns.uuid(row, 1)));
  }

  /** Marks tasks for which tasks wait that were scheduled in transactions of applications. */
  private int markFollowed() {
    return unlessItFails(
        "marking tasks that others wait for",
        connection -> TO_FOLLOW.on(connection).with("max_notes", limit).one(row -> row.getInt(1)));
  }

  /** Readies tasks that were locked when the last of their edges was closed. */
  private int readyLate() {
    List<TaskId> late = ids(database.call("looking for tasks that are ready", LATE));
    return late.isEmpty()
        ? 0
        : unlessItFails("readying tasks", connection -> TaskGraphs.ready(connection, late).size());
  }

  private int unlessItFails(String what, SqlDatabase.Work<Integer> work) {
    try {
      return database.single(what, work);
    } catch (StoreUnavailable e) {
      failed(e);
      return 0;
    }
  }

  private void failed(StoreUnavailable e) {
    if (failure == null) {
      failure = e;
    }
    failures++;
  }

  /** Returns false when the end could not be followed, or a peer does it. */
  private boolean follow(TaskId end) {
    List<End> affected = new ArrayList<>(1);
    try {
      // Failures come first, alone: they lock keys and quotas, which come before counts of edges.
      waits.together(
          List.of(end),
          (_, longestWait) -> {
            try {
              database
                  .transaction(
                      "failing tasks with a predecessor",
                      connection -> {
                        LockWaits.bound(connection, longestWait);
                        return affect(connection, end);
                      })
                  .ifPresent(affected::add);
            } catch (StoreUnavailable e) {
              failure = failure == null ? e : failure;
              throw e;
            }
          },
          _ -> {});
      return !affected.isEmpty()
          && database.transaction(
              "readying tasks after an end",
              connection -> satisfy(connection, affected.getFirst()));
    } catch (StoreUnavailable e) {
      failed(e);
      return false;
    }
  }

  /**
   * An end whose row of task_ended is locked.
   *
   * @param state null when the task was removed
   * @param followedTo the successors up to this one have been told; null for none
   * @param upTo the last successor that is told next; null for all that are left
   */
  private record End(
      TaskId task, @Nullable TaskState state, @Nullable UUID followedTo, @Nullable UUID upTo) {
    boolean isUnfinished() {
      return state != null && !state.isFinished();
    }

    /** True when nobody has changed or followed it since. */
    boolean isStill(End earlier) {
      return state == earlier.state && Objects.equals(followedTo, earlier.followedTo);
    }

    /** The successors that are told next. */
    Successors next() {
      UUID from = followedTo;
      UUID to = upTo;
      return new Successors(
          from == null ? Successors.ALL.after() : from, to == null ? Successors.ALL.upTo() : to);
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

  private Optional<End> take(Connection connection, TaskId end) {
    return TAKE.on(connection)
        .with("id", end.value())
        .with("max_edges", limit)
        .optional(row -> {
          String state = row.getString(1);
          return new End(
              end,
              state == null ? null : TaskStateColumn.of(state),
              NullableColumns.uuid(row, 2, followedTo -> followedTo),
              NullableColumns.uuid(row, 3, upTo -> upTo));
        });
  }

  /** Fails or cancels the successors that are told next; empty when a peer follows the end. */
  private Optional<End> affect(Connection connection, TaskId id) {
    Optional<End> taken = take(connection, id);
    taken.ifPresent(end -> {
      affect(connection, end, EdgeEffect.FAILS);
      affect(connection, end, EdgeEffect.CANCELS);
    });
    return taken;
  }

  /** An end has one of the two effects at most, so that keys are locked once. */
  private void affect(Connection connection, End end, EdgeEffect effect) {
    if (Arrays.stream(OnFailure.values()).noneMatch(one -> end.effect(one) == effect)) {
      return;
    }
    List<TaskId> tasks = new ArrayList<>();
    Map<TaskId, OrderingKeyId> keyed = new LinkedHashMap<>();
    FAILING
        .on(connection)
        .with("id", end.task().value())
        .with("after", end.next().after())
        .with("up_to", end.next().upTo())
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
  }

  private static String failure(End end) {
    return end.state() == null
        ? "its predecessor " + end.task() + " was removed before it had succeeded"
        : "its predecessor " + end.task() + " failed";
  }

  /**
   * Closes the edges to the successors that are told next.
   *
   * @param affected the end as it was when these failed or were cancelled that do so with it
   * @return false when a peer is about to follow the end, or has done it
   */
  private boolean satisfy(Connection connection, End affected) {
    Optional<End> taken = take(connection, affected.task()).filter(one -> one.isStill(affected));
    if (taken.isEmpty()) {
      return false;
    }
    End end = taken.get();
    UUID id = end.task().value();
    if (!end.isUnfinished()) {
      TaskGraphs.satisfy(
          connection,
          BinaryArray.uuids(new UUID[] {id}),
          ColumnBatch.texts(List.of(end.code()), one -> one),
          end.next(),
          limit);
    }
    boolean isLast = end.isUnfinished() || end.upTo() == null;
    if (!isLast || !isDone(connection, end)) {
      FOLLOWED
          .on(connection)
          .with("id", id)
          .with("followed_to", isLast ? null : end.upTo())
          .update();
    }
    return true;
  }

  private static boolean isDone(Connection connection, End end) {
    return DONE.on(connection)
            .with("id", end.task().value())
            .with("satisfied", end.onFailures(one -> one == EdgeEffect.SATISFIED))
            .with(
                "on_failures",
                end.onFailures(one -> one == EdgeEffect.FAILS || one == EdgeEffect.CANCELS))
            .update()
        > 0;
  }

  /** See {@link TaskStepStore#sweepEdges}. */
  static SweptEdges sweep(Connection connection, Optional<SweptEdges.Position> after, int limit) {
    return SWEEP
        .on(connection)
        .with(
            "predecessor",
            after.map(edge -> edge.predecessor().value()).orElse(Successors.ALL.after()))
        .with(
            "successor", after.map(edge -> edge.successor().value()).orElse(Successors.ALL.after()))
        .with("max_edges", limit)
        .optional(row ->
            new SweptEdges(
                new SweptEdges.Position(
                    new TaskId(NonNullColumns.uuid(row, 1)),
                    new TaskId(NonNullColumns.uuid(row, 2))),
                row.getInt(3)))
        .orElse(SweptEdges.NONE);
  }
}
