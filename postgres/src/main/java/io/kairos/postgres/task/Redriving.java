package io.kairos.postgres.task;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.RedriveRequest;
import io.kairos.engine.task.port.RedriveRequest.Filter;
import io.kairos.engine.task.port.RedriveRequest.Ids;
import io.kairos.engine.task.port.Redriven;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Puts failed tasks back: found first, then moved, so that each gets its place among the others.
 */
final class Redriving {
  private static final Sql FIND = Sql.load(Redriving.class, "redrive_find.sql");
  private static final Sql REDRIVE = Sql.load(Redriving.class, "redrive.sql");
  private static final Sql END = Sql.load(Redriving.class, "redrive_end.sql");
  private static final UUID FIRST = new UUID(0, 0);

  private Redriving() {}

  /** Needs a transaction. */
  static Redriven run(Connection connection, RedriveRequest request) throws SQLException {
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
    return new Redriven(found.stream().filter(moved::contains).toList(), next);
  }

  /** Up to which id to look; null for all. */
  private static @Nullable TaskId end(Connection connection, Filter filter) throws SQLException {
    try (Call call =
            END.on(connection)
                .with("states", states(filter))
                .with("after", after(filter))
                .with("max_looked", Views.MOST_LOOKED);
        ResultSet row = call.query()) {
      return row.next() ? new TaskId(Columns.uuid(row, 1)) : null;
    }
  }

  private static BinaryArray states(Filter filter) {
    return BinaryArray.texts(
        filter.states().stream()
            .map(state -> States.code(state).getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new));
  }

  private static UUID after(Filter filter) {
    TaskId after = filter.after();
    return after == null ? FIRST : after.value();
  }

  private static List<TaskId> find(
      Connection connection, Filter filter, @Nullable TaskId upTo, int limit) throws SQLException {
    Instant before = filter.endedBefore();
    List<TaskId> found = new ArrayList<>();
    try (Call call =
            FIND.on(connection)
                .with("handler", filter.handler() == null ? null : filter.handler().wireName())
                .with("states", states(filter))
                .with("ended_before", before == null ? Long.MAX_VALUE : EpochMicros.of(before))
                .with("error", filter.error())
                .with("after", after(filter))
                .with("up_to", upTo == null ? Views.LAST : upTo.value())
                .with("max_tasks", limit);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        found.add(new TaskId(Columns.uuid(rows, 1)));
      }
    }
    return found;
  }

  private static Set<TaskId> move(Connection connection, List<TaskId> tasks, RedriveRequest request)
      throws SQLException {
    long[] places = new long[tasks.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = i;
    }
    Set<TaskId> moved = new HashSet<>();
    try (Call call =
            REDRIVE
                .on(connection)
                .with(
                    "ids",
                    BinaryArray.uuids(tasks.stream().map(TaskId::value).toArray(UUID[]::new)))
                .with("places", BinaryArray.longs(places))
                .withOptional("start", request.startMicros())
                .with("apart_micros", EpochMicros.lengthOf(request.apart()));
        ResultSet rows = call.query()) {
      while (rows.next()) {
        moved.add(new TaskId(Columns.uuid(rows, 1)));
      }
    }
    return moved;
  }
}
