package io.kairos.postgres.task;

import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.HandlerBacklog;
import io.kairos.engine.task.port.operator.HandlerCounts;
import io.kairos.engine.task.port.operator.HandlerCounts.Counting;
import io.kairos.engine.task.port.operator.HandlerPatterns;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.LikePatterns;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts the tasks of handlers for operators, and notes when workers last asked for tasks. */
final class HandlerCounters {
  private static final SqlStatement ASKED = SqlStatement.load("task/asked.sql");
  private static final SqlStatement FORGET = SqlStatement.load("task/asked_prune.sql");
  private static final SqlStatement BACKLOG = SqlStatement.load("task/backlog.sql");
  private static final SqlStatement NUMBERS = SqlStatement.load("task/numbers.sql");
  private static final SqlStatement NAMES = SqlStatement.load("task/names.sql");

  /** The most dead and the most failed tasks that are counted: each is read. */
  private static final int MOST_ENDED = 20_000;

  /** A note that is younger is not written again, however many nodes workers ask. */
  private static final Duration FRESH = Duration.ofSeconds(4);

  private HandlerCounters() {}

  static int asked(SqlDatabase database, Collection<TaskHandler> handlers) {
    List<String> names = handlers.stream().map(TaskHandler::wireName).sorted().toList();
    return database
        .call("noting what is asked for", ASKED)
        .with("handlers", ColumnBatch.texts(names, name -> name))
        .with("fresh_micros", EpochMicros.lengthOf(FRESH))
        .update();
  }

  static int forgetAsked(SqlDatabase database, Duration retention) {
    return database
        .call("forgetting what was asked for", FORGET)
        .with("retention_micros", EpochMicros.lengthOf(retention))
        .with("most", TaskStore.MOST_ASKED)
        .update();
  }

  static Optional<HandlerCounts> of(SqlDatabase database, TaskHandler handler) {
    return numbers(database, handler, HandlerPatterns.ALL, null, 1, Counting.FULL).stream()
        .findFirst();
  }

  static List<HandlerCounts> list(
      SqlDatabase database,
      HandlerPatterns which,
      @Nullable TaskHandler after,
      int limit,
      Counting counting) {
    return counting == Counting.NONE
        ? bind(database.call("listing handlers", NAMES), null, which, after, limit)
            .list(row -> HandlerCounts.ofName(handler(row)))
        : numbers(database, null, which, after, limit, counting);
  }

  private static TaskHandler handler(ResultSet row) throws SQLException {
    return TaskHandler.ofWireName(NonNullColumns.text(row, 1));
  }

  /** Sets the parameters of the part "known_handlers". */
  private static SqlCall bind(
      SqlCall call,
      @Nullable TaskHandler handler,
      HandlerPatterns which,
      @Nullable TaskHandler after,
      int limit) {
    return call.with("handler", handler, TaskHandler::wireName)
        .with("handler_patterns", LikePatterns.of(which.handlers()))
        .with("pool_patterns", LikePatterns.of(which.pools()))
        .with("after", after == null ? "" : after.wireName())
        .with("max_handlers", limit);
  }

  private static List<HandlerCounts> numbers(
      SqlDatabase database,
      @Nullable TaskHandler handler,
      HandlerPatterns which,
      @Nullable TaskHandler after,
      int limit,
      Counting counting) {
    return bind(database.call("counting tasks", NUMBERS), handler, which, after, limit)
        .with("most_queued", counting.most())
        .with("most_of_all", counting.mostOfAll())
        .with("most", Math.min(counting.most(), MOST_ENDED))
        .list(row ->
            new HandlerCounts(
                handler(row),
                row.getInt(2),
                row.getInt(3),
                row.getInt(4),
                row.getInt(5),
                row.getInt(6),
                row.getInt(7),
                row.getInt(8),
                NullableColumns.number(row, 9, EpochMicros::toInstant),
                NullableColumns.number(row, 10, EpochMicros::toDuration),
                row.getInt(11),
                row.getBoolean(12)));
  }

  static List<HandlerBacklog> backlogs(SqlDatabase database, int limit) {
    return database
        .call("counting due tasks", BACKLOG)
        .with("most", HandlerBacklog.MOST_COUNTED)
        .with("max_handlers", limit)
        .list(row ->
            new HandlerBacklog(
                TaskHandler.ofWireName(NonNullColumns.text(row, 1)),
                row.getInt(2),
                EpochMicros.toDuration(row.getLong(3)),
                row.getInt(4),
                row.getInt(5),
                row.getInt(6),
                row.getBoolean(7),
                NullableColumns.number(row, 8, EpochMicros::toInstant)));
  }
}
