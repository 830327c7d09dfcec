package io.kairos.postgres.task;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.RedriveRequest.Filter;
import io.kairos.engine.task.port.operator.RedriveRequest.Ids;
import io.kairos.engine.task.port.operator.RedriveResult;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts failed tasks back. Tasks are found first, then moved, so that each gets its place in the
 * order.
 */
final class TaskRedrives {
  private static final SqlStatement FIND = SqlStatement.load("task/redrive_find.sql");
  private static final SqlStatement REDRIVE = SqlStatement.load("task/redrive.sql");
  private static final SqlStatement END = SqlStatement.load("task/redrive_end.sql");
  private static final SqlStatement COUNT = SqlStatement.load("task/redrive_count.sql");
  private static final SqlStatement COUNT_IDS = SqlStatement.load("task/redrive_count_ids.sql");

  /** The most tasks that it passes over when each is looked up by itself. */
  private static final int MOST_PROBED = TaskViews.MOST_LOOKED;

  /** Any filter: only the store's time is asked for with it. */
  private static final Filter NONE =
      new Filter(null, RedriveRequest.REDRIVABLE, null, "", new TaskId(TaskViews.LAST));

  private TaskRedrives() {}

  /**
   * Needs a transaction.
   *
   * @param mostLooked how many tasks of each state it passes over at most
   */
  static RedriveResult run(Connection connection, RedriveRequest request, int mostLooked) {
    return switch (request.which()) {
      case Ids(List<TaskId> given) -> {
        List<TaskId> ids = given.stream().distinct().limit(request.limit()).toList();
        Instant at = end(connection, NONE, 1).at();
        yield request.isDryRun()
            ? new RedriveResult(List.of(), count(connection, ids), null, at)
            : moved(connection, ids, request, null, at);
      }
      case Filter filter when request.isDryRun() -> {
        End end = end(connection, filter, filter.isForErrors() ? MOST_PROBED : mostLooked);
        Filter counted = filter.endedBefore() == null ? filter.endedBefore(end.at()) : filter;
        yield search(COUNT.on(connection), counted, end, request.limit())
            .one(row -> {
              int count = row.getInt(1);
              TaskId last = NullableColumns.uuid(row, 2, TaskId::new);
              TaskId next = count == request.limit() ? last : end.upTo();
              return new RedriveResult(List.of(), count, next, end.at());
            });
      }
      case Filter filter -> {
        End end = end(connection, filter, mostLooked);
        List<TaskId> found =
            search(FIND.on(connection), filter, end, request.limit())
                .list(row -> new TaskId(NonNullColumns.uuid(row, 1)));
        TaskId next = found.size() == request.limit() ? found.getLast() : end.upTo();
        yield moved(connection, found, request, next, end.at());
      }
    };
  }

  private static RedriveResult moved(
      Connection connection,
      List<TaskId> found,
      RedriveRequest request,
      @Nullable TaskId next,
      Instant at) {
    Set<TaskId> moved = found.isEmpty() ? Set.of() : move(connection, found, request);
    List<TaskId> inOrder = found.stream().filter(moved::contains).toList();
    return new RedriveResult(inOrder, inOrder.size(), next, at);
  }

  private static int count(Connection connection, List<TaskId> ids) {
    return COUNT_IDS
        .on(connection)
        .with("ids", ColumnBatch.uuids(ids, TaskId::value))
        .one(row -> row.getInt(1));
  }

  /**
   * Where a search ends.
   *
   * @param at the store's time
   * @param upTo the last id that the search may reach; null for no end
   */
  private record End(Instant at, @Nullable TaskId upTo) {}

  private static End end(Connection connection, Filter filter, int mostLooked) {
    return END.on(connection)
        .with("states", states(filter))
        .with("after", after(filter))
        .with("fingerprint", filter.fingerprint())
        .with("error_class", filter.errorClass())
        .with("max_looked", mostLooked)
        .one(row ->
            new End(
                EpochMicros.toInstant(row.getLong(1)), NullableColumns.uuid(row, 2, TaskId::new)));
  }

  private static BinaryArray states(Filter filter) {
    return ColumnBatch.texts(filter.states(), TaskStateColumn::code);
  }

  private static UUID after(Filter filter) {
    TaskId after = filter.after();
    return after == null ? TaskViews.FIRST : after.value();
  }

  private static SqlCall search(SqlCall call, Filter filter, End end, int limit) {
    Instant from = filter.endedFrom();
    Instant before = filter.endedBefore();
    return call.with("handler", filter.handler(), TaskHandler::wireName)
        .with("states", states(filter))
        .with("ended_from", from == null ? Long.MIN_VALUE : EpochMicros.of(from))
        .with("ended_before", before == null ? Long.MAX_VALUE : EpochMicros.of(before))
        .with("error", filter.error())
        .with("fingerprint", filter.fingerprint())
        .with("error_class", filter.errorClass())
        .with("collection", filter.collection(), CollectionName::value)
        .with("after", after(filter))
        .with("up_to", end.upTo() == null ? TaskViews.LAST : end.upTo().value())
        .with("max_tasks", limit);
  }

  private static Set<TaskId> move(
      Connection connection, List<TaskId> tasks, RedriveRequest request) {
    Set<TaskId> moved =
        REDRIVE
            .on(connection)
            .with("ids", ColumnBatch.uuids(tasks, TaskId::value))
            .with("places", BinaryArray.longs(LongStream.range(0, tasks.size()).toArray()))
            .withOptional("start", request.startMicros())
            .with("apart_micros", EpochMicros.lengthOf(request.apart()))
            .set(row -> new TaskId(NonNullColumns.uuid(row, 1)));
    TaskGraphs.putBack(connection, moved);
    return moved;
  }
}
