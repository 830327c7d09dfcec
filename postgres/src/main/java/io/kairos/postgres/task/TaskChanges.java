package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyState;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.operator.CancelResult;
import io.kairos.engine.task.port.operator.ChangeRequest;
import io.kairos.engine.task.port.operator.ChangeRequest.Cancel;
import io.kairos.engine.task.port.operator.ChangeRequest.Reschedule;
import io.kairos.engine.task.port.operator.ChangeResult;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Cancels and reschedules tasks, each call in a transaction. Rows are locked first, so that nothing
 * changes them between the check and the change, and a task that has just ended is found in the
 * history. Of many, the tasks are found without locks, then locked in the order of their ids if
 * they still match.
 */
final class TaskChanges {
  private static final SqlStatement LOCK = SqlStatement.load("task/cancel_lock.sql");
  private static final SqlStatement REQUEST = SqlStatement.load("task/cancel_request.sql");
  private static final SqlStatement FINISHED = SqlStatement.load("task/finished.sql");
  private static final SqlStatement RESCHEDULE = SqlStatement.load("task/reschedule.sql");
  private static final SqlStatement END = SqlStatement.load("task/change_end.sql");
  private static final SqlStatement FIND = SqlStatement.load("task/change_find.sql");
  private static final SqlStatement COUNT = SqlStatement.load("task/change_count.sql");
  private static final SqlStatement LOCK_MANY = SqlStatement.load("task/change_lock.sql");
  private static final SqlStatement DUE = SqlStatement.load("task/change_due.sql");

  private TaskChanges() {}

  static CancelResult cancel(Connection connection, TaskId id) {
    Optional<Found> live =
        LOCK.on(connection)
            .with("id", id.value())
            .optional(row ->
                new Found(
                    id, TaskStateColumn.of(NonNullColumns.text(row, 1)), KeyRows.key(row, 2)));
    if (live.isEmpty()) {
      boolean hasEnded = FINISHED.on(connection).with("id", id.value()).any();
      return hasEnded ? CancelResult.TOO_LATE : CancelResult.UNKNOWN;
    }
    cancel(connection, List.of(live.get()));
    return live.get().state() == TaskState.PROCESSING
        ? CancelResult.REQUESTED
        : CancelResult.CANCELLED;
  }

  /**
   * Cancels the tasks that a statement locks.
   *
   * @param lock a statement that returns ids, states and keys
   * @return how many tasks were cancelled, or are to be
   */
  static int cancelLocked(Connection connection, SqlCall lock) {
    List<Found> found = lock.list(TaskChanges::found);
    cancel(connection, found);
    return found.size();
  }

  private static Found found(ResultSet row) throws SQLException {
    return new Found(
        new TaskId(NonNullColumns.uuid(row, 1)),
        TaskStateColumn.of(NonNullColumns.text(row, 2)),
        KeyRows.key(row, 3));
  }

  /** A live task whose row is locked. */
  private record Found(TaskId id, TaskState state, @Nullable OrderingKeyId key) {}

  private static void cancel(Connection connection, List<Found> found) {
    List<TaskId> performed = new ArrayList<>();
    List<TaskId> waiting = new ArrayList<>();
    Map<TaskId, OrderingKeyId> keyed = new LinkedHashMap<>();
    for (Found task : found) {
      if (task.state() == TaskState.PROCESSING) {
        performed.add(task.id());
        continue;
      }
      waiting.add(task.id());
      OrderingKeyId key = task.key();
      if (key != null) {
        keyed.put(task.id(), key);
      }
    }
    if (!performed.isEmpty()) {
      REQUEST.on(connection).with("ids", ColumnBatch.uuids(performed, TaskId::value)).update();
    }
    TaskEnds.end(connection, waiting, keyed, TaskState.CANCELLED, null);
  }

  private record Moved(@Nullable OrderingKeyId key) {}

  static boolean reschedule(Connection connection, TaskId id, long dueMicros) {
    SqlCall call = RESCHEDULE.on(connection).with("id", id.value()).with("due", dueMicros);
    Optional<Moved> moved = call.optional(row -> new Moved(KeyRows.key(row, 1)));
    OrderingKeyId key = moved.map(Moved::key).orElse(null);
    if (key != null) {
      LockedKeys keys = LockedKeys.lock(connection, List.of(key));
      keys.note(key, id, OrderingKeyState.Change.LEFT);
      keys.write(null);
    }
    return moved.isPresent();
  }

  /** Where the search of a change ends. */
  private record End(long nowMicros, @Nullable TaskId upTo) {}

  /**
   * Needs a transaction.
   *
   * @param mostLooked how many tasks it passes over at most
   */
  static ChangeResult run(Connection connection, ChangeRequest given, int mostLooked) {
    TaskId latest = latest(given.filter());
    End end = end(connection, given, latest, mostLooked);
    ChangeRequest request = begun(given, end.nowMicros());
    TaskId upTo = end.upTo() == null ? latest : end.upTo();
    if (request.isDryRun()) {
      return search(COUNT.on(connection), request, upTo)
          .with("apart_micros", apartMicros(request))
          .one(row -> {
            TaskId last = NullableColumns.uuid(row, 3, TaskId::new);
            TaskId next = row.getInt(2) == request.limit() ? last : end.upTo();
            return result(row.getInt(1), next, end);
          });
    }
    List<TaskId> ids =
        search(FIND.on(connection), request, upTo)
            .list(row -> new TaskId(NonNullColumns.uuid(row, 1)));
    int changed = ids.isEmpty() ? 0 : change(connection, request, lock(connection, request, ids));
    return result(changed, ids.size() == request.limit() ? ids.getLast() : end.upTo(), end);
  }

  private static ChangeResult result(int count, @Nullable TaskId next, End end) {
    return new ChangeResult(count, next, EpochMicros.toInstant(end.nowMicros()));
  }

  /** The greatest id that a task of the filter can have. */
  private static TaskId latest(ChangeRequest.Filter filter) {
    Long until = filter.acceptedUntilMicros();
    return until == null ? new TaskId(TaskViews.LAST) : TaskViews.firstAfter(until);
  }

  private static End end(
      Connection connection, ChangeRequest request, TaskId latest, int mostLooked) {
    return END.on(connection)
        .with("after", after(request))
        .with("up_to", latest.value())
        .with("max_looked", mostLooked)
        .one(row -> new End(row.getLong(1), NullableColumns.uuid(row, 2, TaskId::new)));
  }

  private static UUID after(ChangeRequest request) {
    TaskId after = request.filter().after();
    return after == null ? TaskViews.FIRST : after.value();
  }

  /** The request with the times that it leaves to the store's clock. */
  private static ChangeRequest begun(ChangeRequest request, long nowMicros) {
    ChangeRequest.Action action =
        switch (request.action()) {
          case Cancel cancel -> cancel;
          case Reschedule(Long start, Duration apart) ->
              new Reschedule(requireNonNullElse(start, nowMicros), apart);
        };
    ChangeRequest.Filter filter = request.filter();
    return new ChangeRequest(
        filter.acceptedUntilMicros() == null ? filter.acceptedUntil(nowMicros) : filter,
        action,
        request.limit(),
        request.isDryRun());
  }

  private static long apartMicros(ChangeRequest request) {
    return switch (request.action()) {
      case Cancel() -> 0;
      case Reschedule(_, Duration apart) -> EpochMicros.lengthOf(apart);
    };
  }

  private static SqlCall search(SqlCall call, ChangeRequest request, TaskId upTo) {
    return matching(call, request)
        .with("after", after(request))
        .with("up_to", upTo.value())
        .with("max_tasks", request.limit());
  }

  private static SqlCall matching(SqlCall call, ChangeRequest request) {
    ChangeRequest.Filter filter = request.filter();
    List<TaskState> states =
        filter.states().stream()
            .filter(state -> state != TaskState.PROCESSING || request.action() instanceof Cancel)
            .toList();
    long due =
        switch (request.action()) {
          case Cancel() -> Long.MIN_VALUE;
          case Reschedule(Long start, _) -> requireNonNull(start);
        };
    return call.with("states", ColumnBatch.texts(states, TaskStateColumn::code))
        .with("by_queue", filter.handler() != null)
        .with("handler", filter.handler(), TaskHandler::wireName)
        .withNulls("priority", "schedule")
        .with("collection", filter.collection(), CollectionName::value)
        .with("key", filter.key(), OrderingKey::value)
        .with("from", requireNonNullElse(filter.fromMicros(), Long.MIN_VALUE))
        .with("to", requireNonNullElse(filter.toMicros(), Long.MAX_VALUE))
        .with("min_attempts", filter.minAttempts())
        .with("error_class", filter.errorClass())
        .with("fingerprint", filter.fingerprint())
        .with("accepted_until", requireNonNull(filter.acceptedUntilMicros()))
        .with("due", due);
  }

  private static List<Found> lock(Connection connection, ChangeRequest request, List<TaskId> ids) {
    return matching(LOCK_MANY.on(connection), request)
        .with("ids", ColumnBatch.uuids(ids, TaskId::value))
        .list(TaskChanges::found);
  }

  private static int change(Connection connection, ChangeRequest request, List<Found> found) {
    if (found.isEmpty()) {
      return 0;
    }
    return switch (request.action()) {
      case Cancel() -> {
        cancel(connection, found);
        yield found.size();
      }
      case Reschedule(Long start, Duration apart) ->
          reschedule(connection, found, requireNonNull(start), EpochMicros.lengthOf(apart));
    };
  }

  private static int reschedule(
      Connection connection, List<Found> found, long startMicros, long apartMicros) {
    Map<TaskId, OrderingKeyId> keyed = new LinkedHashMap<>();
    for (Found task : found) {
      OrderingKeyId key = task.key();
      if (key != null) {
        keyed.put(task.id(), key);
      }
    }
    LockedKeys keys = LockedKeys.lock(connection, keyed.values());
    long[] dues =
        IntStream.range(0, found.size()).mapToLong(i -> startMicros + i * apartMicros).toArray();
    Set<TaskId> moved =
        DUE.on(connection)
            .with("ids", ColumnBatch.uuids(found, task -> task.id().value()))
            .with("dues", BinaryArray.longs(dues))
            .set(row -> new TaskId(NonNullColumns.uuid(row, 1)));
    keyed.forEach((task, key) -> {
      if (moved.contains(task)) {
        keys.note(key, task, OrderingKeyState.Change.LEFT);
      }
    });
    keys.write(null);
    return moved.size();
  }
}
