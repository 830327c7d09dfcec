package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.ListQuery;
import io.kairos.engine.task.port.TaskPage;
import io.kairos.engine.task.port.TaskView;
import io.kairos.engine.task.port.TaskView.Failure;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Shows tasks to callers, live and finished ones alike. */
final class Views {
  private static final Sql FIND = Sql.load(Views.class, "find.sql");
  private static final Sql LIST = Sql.load(Views.class, "list.sql");
  private static final Sql LIST_END = Sql.load(Views.class, "list_end.sql");

  /** Of each kind that one list passes over when little matches: some ten milliseconds. */
  static final int MOST_LOOKED = 20_000;

  /** The first of the columns of what a task was given. */
  private static final int DETAILS = 16;

  private static final UUID FIRST = new UUID(0, 0);

  /** After every id, as ids are compared without sign. */
  static final UUID LAST = new UUID(-1, -1);

  private Views() {}

  static Optional<TaskView> find(Connection connection, TaskId id) throws SQLException {
    try (Call call = FIND.on(connection).with("id", id.value());
        ResultSet row = call.query()) {
      return row.next() ? Optional.of(view(row)) : Optional.empty();
    }
  }

  static TaskPage list(Connection connection, ListQuery query) throws SQLException {
    TaskId downTo = isForAll(query) ? null : end(connection, query);
    try (Call call =
            ranges(LIST.on(connection), query)
                .with("handler", handler(query))
                .with("collection", collection(query))
                .with("key", key(query))
                .with("held", codes(query, TaskState::isHeld))
                .with("down_to", downTo == null ? FIRST : downTo.value())
                .with("max_tasks", query.limit() + 1);
        ResultSet rows = call.query()) {
      List<TaskView> views = new ArrayList<>();
      while (rows.next()) {
        views.add(view(rows));
      }
      return TaskPage.of(query, views, downTo);
    }
  }

  /** Passes over nothing. */
  private static boolean isForAll(ListQuery query) {
    return query.handler() == null
        && query.collection() == null
        && query.states().size() == TaskState.values().length;
  }

  private static @Nullable TaskId end(Connection connection, ListQuery query) throws SQLException {
    try (Call call = ranges(LIST_END.on(connection), query).with("max_looked", MOST_LOOKED);
        ResultSet row = call.query()) {
      row.next();
      UUID id = row.getObject(1, UUID.class);
      return id == null ? null : new TaskId(id);
    }
  }

  private static Call ranges(Call call, ListQuery query) throws SQLException {
    TaskId before = query.before();
    return call.with("waiting", codes(query, state -> !state.isFinished() && !state.isHeld()))
        .with("succeeded", query.states().contains(TaskState.SUCCEEDED))
        .with(
            "other_ends", codes(query, state -> state.isFinished() && state != TaskState.SUCCEEDED))
        .with("before", before == null ? LAST : before.value());
  }

  private static @Nullable String handler(ListQuery query) {
    return query.handler() == null ? null : query.handler().wireName();
  }

  private static @Nullable String collection(ListQuery query) {
    return query.collection() == null ? null : query.collection().value();
  }

  private static @Nullable String key(ListQuery query) {
    return query.key() == null ? null : query.key().value();
  }

  private static BinaryArray codes(ListQuery query, Predicate<TaskState> which) {
    return BinaryArray.texts(
        query.states().stream()
            .filter(which)
            .map(state -> States.code(state).getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new));
  }

  /** Both statements return these columns, in this order. */
  private static TaskView view(ResultSet row) throws SQLException {
    TaskDetails details =
        TaskDetailsRows.read(
            row, DETAILS, requireNonNullElse(row.getBytes(DETAILS), TaskView.NO_PAYLOAD));
    return new TaskView(
        new TaskId(Columns.uuid(row, 1)),
        QueueNumbers.name(row, 2),
        details.retryPolicy() == null ? details.withRetryPolicy(RetryPolicy.DEFAULT) : details,
        EpochMicros.toInstant(row.getLong(5)),
        EpochMicros.toInstant(row.getLong(6)),
        new TaskView.Progress(
            States.of(Columns.text(row, 4)),
            row.getInt(7),
            instant(row, 8),
            instant(row, 9),
            row.getString(10),
            row.getBoolean(11),
            failures(row),
            requireNonNullElse(row.getString(15), "")));
  }

  private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull() ? null : EpochMicros.toInstant(micros);
  }

  private static List<Failure> failures(ResultSet row) throws SQLException {
    Long[] attempts = (Long[]) array(row, 12);
    Long[] times = (Long[]) array(row, 13);
    String[] errors = (String[]) array(row, 14);
    List<Failure> failures = new ArrayList<>(attempts.length);
    for (int i = 0; i < attempts.length; i++) {
      if (errors[i] != null) { // else it is the result
        failures.add(
            new Failure(Math.toIntExact(attempts[i]), EpochMicros.toInstant(times[i]), errors[i]));
      }
    }
    return failures;
  }

  private static Object array(ResultSet row, int column) throws SQLException {
    return requireNonNull(row.getArray(column)).getArray();
  }
}
