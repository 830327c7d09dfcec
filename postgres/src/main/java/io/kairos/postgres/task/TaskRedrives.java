package io.kairos.postgres.task;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.RedriveRequest.Filter;
import io.kairos.engine.task.port.operator.RedriveRequest.Ids;
import io.kairos.engine.task.port.operator.RedriveResult;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
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
  private static final UUID FIRST = new UUID(0, 0);

  private TaskRedrives() {}

  /** Needs a transaction. */
  static RedriveResult run(Connection connection, RedriveRequest request) {
    List<TaskId> found;
    TaskId next = null;
    switch (request.which()) {
      case Ids(List<TaskId> ids) -> found = ids.stream().distinct().limit(request.limit()).toList();
      case Filter filter -> {
        TaskId upTo = end(connection, filter);
        found = find(connection, filter, upTo, request.limit());
        next = found.size() == request.limit() ? found.getLast() : upTo;
      }
    }
    Set<TaskId> moved = found.isEmpty() ? Set.of() : move(connection, found, request);
    return new RedriveResult(found.stream().filter(moved::contains).toList(), next);
  }

  /** The last id that the search may reach; null for no end. */
  private static @Nullable TaskId end(Connection connection, Filter filter) {
    return END.on(connection)
        .with("states", states(filter))
        .with("after", after(filter))
        .with("max_looked", TaskViews.MOST_LOOKED)
        .optional(row -> new TaskId(NonNullColumns.uuid(row, 1)))
        .orElse(null);
  }

  private static BinaryArray states(Filter filter) {
    return ColumnBatch.texts(filter.states(), TaskStateColumn::code);
  }

  private static UUID after(Filter filter) {
    TaskId after = filter.after();
    return after == null ? FIRST : after.value();
  }

  private static List<TaskId> find(
      Connection connection, Filter filter, @Nullable TaskId upTo, int limit) {
    Instant before = filter.endedBefore();
    return FIND.on(connection)
        .with("handler", filter.handler() == null ? null : filter.handler().wireName())
        .with("states", states(filter))
        .with("ended_before", before == null ? Long.MAX_VALUE : EpochMicros.of(before))
        .with("error", filter.error())
        .with("after", after(filter))
        .with("up_to", upTo == null ? TaskViews.LAST : upTo.value())
        .with("max_tasks", limit)
        .list(row -> new TaskId(NonNullColumns.uuid(row, 1)));
  }

  private static Set<TaskId> move(
      Connection connection, List<TaskId> tasks, RedriveRequest request) {
    return REDRIVE
        .on(connection)
        .with("ids", ColumnBatch.uuids(tasks, TaskId::value))
        .with("places", BinaryArray.longs(LongStream.range(0, tasks.size()).toArray()))
        .withOptional("start", request.startMicros())
        .with("apart_micros", EpochMicros.lengthOf(request.apart()))
        .set(row -> new TaskId(NonNullColumns.uuid(row, 1)));
  }
}
