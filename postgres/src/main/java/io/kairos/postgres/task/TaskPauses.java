package io.kairos.postgres.task;

import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.operator.TaskPause;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.sql.UnknownCode;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pauses of handlers and collections, and the work that they leave: tasks to drop while a pause
 * lasts, tasks to wake after it. Each pause is worked off in a transaction of its own, which keeps
 * its row locked.
 */
final class TaskPauses {
  private static final SqlStatement LOCK = SqlStatement.load("task/pause_lock.sql");
  private static final SqlStatement SET = SqlStatement.load("task/pause_set.sql");
  private static final SqlStatement LIFT = SqlStatement.load("task/pause_lift.sql");
  private static final SqlStatement LIST = SqlStatement.load("task/pause_list.sql");
  private static final SqlStatement CHECK = SqlStatement.load("task/pause_check.sql");
  private static final SqlStatement WAIT = SqlStatement.load("task/pause_wait.sql");
  private static final SqlStatement WAKE = SqlStatement.load("task/pause_wake.sql");
  private static final SqlStatement REMOVE = SqlStatement.load("task/pause_remove.sql");
  private static final SqlStatement DROP_LOCK = SqlStatement.load("task/pause_drop_lock.sql");

  private static final String WHOLE_HANDLER = "";

  private TaskPauses() {}

  /** Sets a pause. Needs a transaction. */
  static int set(Connection connection, TaskPause pause) {
    LOCK.on(connection).update();
    Instant until = pause.until();
    return named(SET.on(connection), pause.handler(), pause.collection())
        .with("mode", code(pause.mode()))
        .withOptional("until", until == null ? null : EpochMicros.of(until))
        .with("note", pause.note())
        .update();
  }

  static boolean lift(
      Connection connection, TaskHandler handler, @Nullable CollectionName collection) {
    return named(LIFT.on(connection), handler, collection).update() > 0;
  }

  static List<TaskPause.Active> list(Connection connection, boolean toTend) {
    return LIST.on(connection)
        .with("to_tend", toTend)
        .list(row ->
            new TaskPause.Active(
                new TaskPause(
                    TaskHandler.ofWireName(NonNullColumns.text(row, 1)),
                    collection(NonNullColumns.text(row, 2)),
                    mode(NonNullColumns.text(row, 3)),
                    NullableColumns.number(row, 4, EpochMicros::toInstant),
                    NonNullColumns.text(row, 5)),
                EpochMicros.toInstant(row.getLong(6))));
  }

  private static @Nullable CollectionName collection(String name) {
    return name.equals(WHOLE_HANDLER) ? null : new CollectionName(name);
  }

  /** See {@link io.kairos.engine.task.port.TaskStepStore#applyPauses}. */
  static int tend(SqlDatabase database, int limit) {
    int changed = 0;
    List<TaskPause.Active> pauses =
        database.single("reading pauses", connection -> list(connection, true));
    for (TaskPause.Active closed : pauses) {
      changed +=
          database.transaction(
              "following up a pause", connection -> tend(connection, closed.pause(), limit));
    }
    return changed;
  }

  private static int tend(Connection connection, TaskPause pause, int limit) {
    Optional<StoredPause> found =
        named(CHECK.on(connection), pause.handler(), pause.collection())
            .optional(row ->
                new StoredPause(
                    row.getBoolean(1),
                    mode(NonNullColumns.text(row, 2)),
                    NonNullColumns.text(row, 3)));
    if (found.isEmpty()) {
      return 0;
    }
    StoredPause now = found.get();
    if (now.isOpen) {
      return open(connection, pause, limit);
    }
    return switch (now.mode) {
      case PAUSE -> 0;
      case DROP -> drop(connection, pause, "dropped: " + now.note, limit);
    };
  }

  /** A pause as it is once its row is locked. */
  private record StoredPause(boolean isOpen, TaskPause.Mode mode, String note) {}

  private static int open(Connection connection, TaskPause pause, int limit) {
    int woken =
        named(WAKE.on(connection), pause.handler(), pause.collection())
            .with("max_tasks", limit)
            .update();
    if (woken == 0) {
      named(WAIT.on(connection), pause.handler(), pause.collection()).execute();
      named(REMOVE.on(connection), pause.handler(), pause.collection()).update();
    }
    return woken;
  }

  private static int drop(Connection connection, TaskPause pause, String error, int limit) {
    return TaskEnds.lockAndEnd(
        connection,
        named(DROP_LOCK.on(connection), pause.handler(), pause.collection())
            .with("max_tasks", limit),
        TaskState.CANCELLED,
        error);
  }

  private static SqlCall named(
      SqlCall call, TaskHandler handler, @Nullable CollectionName collection) {
    return call.with("handler", handler.wireName())
        .with("collection", collection == null ? WHOLE_HANDLER : collection.value());
  }

  private static String code(TaskPause.Mode mode) {
    return switch (mode) {
      case PAUSE -> "P";
      case DROP -> "D";
    };
  }

  private static TaskPause.Mode mode(String code) {
    return switch (code) {
      case "P" -> TaskPause.Mode.PAUSE;
      case "D" -> TaskPause.Mode.DROP;
      default -> throw new UnknownCode("mode of a pause", code);
    };
  }
}
