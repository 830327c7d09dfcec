package io.kairos.postgres.task;

import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.HandlerNumbers;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What operators are shown of handlers. */
final class Numbers {
  private static final Sql ASKED = Sql.load(Numbers.class, "asked.sql");
  private static final Sql NUMBERS = Sql.load(Numbers.class, "numbers.sql");

  /** Nodes that are asked for the same do not write it down one after the other. */
  private static final Duration FRESH = Duration.ofSeconds(4);

  private Numbers() {}

  static int asked(Connection connection, Collection<TaskHandler> handlers) throws SQLException {
    byte[][] names =
        handlers.stream()
            .map(TaskHandler::wireName)
            .sorted()
            .map(name -> name.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    try (Call call =
        ASKED
            .on(connection)
            .with("handlers", BinaryArray.texts(names))
            .with("fresh_micros", EpochMicros.lengthOf(FRESH))) {
      return call.update();
    }
  }

  static List<HandlerNumbers> of(
      Connection connection, @Nullable TaskHandler handler, @Nullable TaskHandler after, int limit)
      throws SQLException {
    List<HandlerNumbers> numbers = new ArrayList<>();
    try (Call call =
            NUMBERS
                .on(connection)
                .with("handler", handler == null ? null : handler.wireName())
                .with("after", after == null ? "" : after.wireName())
                .with("most", HandlerNumbers.MOST_COUNTED)
                .with("most_of_all", HandlerNumbers.MOST_COUNTED)
                .with("max_handlers", limit);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        long askedAt = rows.getLong(9);
        boolean isAsked = !rows.wasNull();
        numbers.add(
            new HandlerNumbers(
                TaskHandler.ofWireName(Columns.text(rows, 1)),
                rows.getInt(2),
                rows.getInt(3),
                rows.getInt(4),
                rows.getInt(5),
                rows.getInt(6),
                rows.getInt(7),
                rows.getInt(8),
                isAsked ? EpochMicros.toInstant(askedAt) : null));
      }
    }
    return numbers;
  }
}
