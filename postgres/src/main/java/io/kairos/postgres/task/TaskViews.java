package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskListing;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.port.operator.TaskView.Failure;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.QueueNumberRows;
import io.kairos.postgres.task.row.TaskDetailsColumns;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Shows tasks to callers, live and finished ones alike. */
final class TaskViews {
  private static final SqlStatement FIND = SqlStatement.load("task/find.sql");
  private static final SqlStatement LIST = SqlStatement.load("task/list.sql");
  private static final SqlStatement LIST_END = SqlStatement.load("task/list_end.sql");

  /**
   * The most tasks of each kind that one list passes over when few match; that takes about ten
   * milliseconds.
   */
  static final int MOST_LOOKED = 20_000;

  /** The first of the columns of {@link TaskDetailsColumns}. */
  private static final int DETAILS = 22;

  private static final UUID FIRST = new UUID(0, 0);

  /** The greatest id, because ids are compared as unsigned numbers. */
  static final UUID LAST = new UUID(-1, -1);

  private TaskViews() {}

  static Optional<TaskView> find(Connection connection, TaskId id) {
    return FIND.on(connection).with("id", id.value()).optional(row -> view(row));
  }

  static TaskListing list(Connection connection, ListQuery query) {
    TaskId downTo = isForAll(query) ? null : end(connection, query);
    List<TaskView> views =
        ranges(LIST.on(connection), query)
            .with("handler", query.handler(), TaskHandler::wireName)
            .with("collection", query.collection(), CollectionName::value)
            .with("key", query.key(), OrderingKey::value)
            .with("from", requireNonNullElse(query.fromMicros(), Long.MIN_VALUE))
            .with("to", requireNonNullElse(query.toMicros(), Long.MAX_VALUE))
            .with("held", codes(query, TaskState::isHeld))
            .with("down_to", downTo == null ? FIRST : downTo.value())
            .with("max_tasks", query.limit() + 1)
            .list(TaskViews::view);
    return TaskListing.of(query, views, downTo);
  }

  /** True when every task matches, so that the list passes over none. */
  private static boolean isForAll(ListQuery query) {
    return query.handler() == null
        && query.collection() == null
        && query.fromMicros() == null
        && query.toMicros() == null
        && query.states().size() == TaskState.values().length;
  }

  private static @Nullable TaskId end(Connection connection, ListQuery query) {
    return ranges(LIST_END.on(connection), query)
        .with("max_looked", MOST_LOOKED)
        .one(row -> NullableColumns.uuid(row, 1, TaskId::new));
  }

  private static SqlCall ranges(SqlCall call, ListQuery query) {
    TaskId before = query.before();
    return call.with("waiting", codes(query, state -> !state.isFinished() && !state.isHeld()))
        .with("succeeded", query.states().contains(TaskState.SUCCEEDED))
        .with(
            "other_ends", codes(query, state -> state.isFinished() && state != TaskState.SUCCEEDED))
        .with("before", before == null ? LAST : before.value());
  }

  private static BinaryArray codes(ListQuery query, Predicate<TaskState> which) {
    return ColumnBatch.texts(query.states().stream().filter(which).toList(), TaskStateColumn::code);
  }

  /** Reads the part {@code {view}}, whose columns both statements return. */
  private static TaskView view(ResultSet row) throws SQLException {
    TaskDetails details =
        TaskDetailsColumns.read(
            row, DETAILS, requireNonNullElse(row.getBytes(DETAILS), TaskView.NO_PAYLOAD));
    return new TaskView(
        new TaskId(NonNullColumns.uuid(row, 1)),
        QueueNumberRows.name(row, 2),
        details.retryPolicy() == null ? details.withRetryPolicy(RetryPolicy.DEFAULT) : details,
        EpochMicros.toInstant(row.getLong(5)),
        EpochMicros.toInstant(row.getLong(6)),
        new TaskView.Progress(
            TaskStateColumn.of(NonNullColumns.text(row, 4)),
            row.getInt(7),
            NullableColumns.number(row, 8, EpochMicros::toInstant),
            NullableColumns.number(row, 9, EpochMicros::toInstant),
            row.getString(10),
            row.getBoolean(11),
            NullableColumns.number(row, 16, EpochMicros::toInstant),
            failures(row),
            requireNonNullElse(row.getString(15), ""),
            row.getString(21)),
        row.getString(20));
  }

  private static List<Failure> failures(ResultSet row) throws SQLException {
    Long[] attempts = (Long[]) array(row, 12);
    Long[] times = (Long[]) array(row, 13);
    String[] errors = (String[]) array(row, 14);
    Long[] starts = (Long[]) array(row, 17);
    String[] states = (String[]) array(row, 18);
    String[] classes = (String[]) array(row, 19);
    List<Failure> failures = new ArrayList<>(attempts.length);
    for (int i = 0; i < attempts.length; i++) {
      if (errors[i] != null) { // null in the entry of the result
        failures.add(
            new Failure(
                Math.toIntExact(attempts[i]),
                starts[i] == null ? null : EpochMicros.toInstant(starts[i]),
                EpochMicros.toInstant(times[i]),
                states[i] == null ? null : TaskStateColumn.of(states[i]),
                errors[i],
                requireNonNullElse(classes[i], "")));
      }
    }
    return failures;
  }

  private static Object array(ResultSet row, int column) throws SQLException {
    return requireNonNull(row.getArray(column)).getArray();
  }
}
