package io.kairos.postgres.cluster;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.cluster.LatenessCounts;
import io.kairos.engine.cluster.NodeFigures;
import io.kairos.engine.cluster.NodePeriod;
import io.kairos.engine.cluster.NodeState;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.cluster.WorkFigures;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads rows of {@code node_figures}. */
final class FigureRows {
  private FigureRows() {}

  static SqlCall write(SqlCall call, NodeFigures told) {
    NodeState state = told.state();
    PeriodFigures figures = told.figures();
    WorkFigures tasks = figures.tasks();
    WorkFigures messages = figures.messages();
    List<Map.Entry<String, Long>> letters = List.copyOf(figures.deadLetters().entrySet());
    return call.with("node", told.node().value())
        .with("period", told.period())
        .with("is_last", told.isLast())
        .with("name", state.name())
        .with("version", state.version())
        .with("doors", texts(state.doors()))
        .with("clock_offset_micros", micros(state.clockOffset()))
        .withOptional("load", state.load())
        .with("heap_bytes", state.heapBytes())
        .with("obstacles", texts(state.obstacles()))
        .with("tasks_accepted", tasks.accepted())
        .with("tasks_begun", tasks.begun())
        .with("tasks_ended", tasks.ended())
        .with("task_lateness", tasks.lateness().bytes())
        .with("task_overdue_micros", micros(tasks.oldestOverdue()))
        .with("messages_accepted", messages.accepted())
        .with("messages_begun", messages.begun())
        .with("messages_ended", messages.ended())
        .with("message_lateness", messages.lateness().bytes())
        .with("message_overdue_micros", micros(messages.oldestOverdue()))
        .with("failed_attempts", figures.failedAttempts())
        .with("given_up", figures.givenUp())
        .with("lapsed_leases", figures.lapsedLeases())
        .with("fires", figures.fires())
        .with("skipped_fires", figures.skippedFires())
        .with("put_off", figures.putOff())
        .with("dead_letter_routes", ColumnBatch.texts(letters, Map.Entry::getKey))
        .with("dead_letters", ColumnBatch.longs(letters, Map.Entry::getValue))
        .with("hiccup_micros", micros(figures.hiccup()));
  }

  private static BinaryArray texts(List<String> texts) {
    return ColumnBatch.texts(texts, text -> text);
  }

  private static @Nullable Long micros(@Nullable Duration length) {
    return length == null ? null : (Long) EpochMicros.lengthOf(length);
  }

  /** Reads the columns of the part "told", of which this is the first. */
  static NodeFigures read(ResultSet row, int first) throws SQLException {
    Columns columns = new Columns(row, first);
    NodePeriod figures = columns.period();
    boolean isLast = row.getBoolean(columns.next());
    NodeState state =
        new NodeState(
            columns.text(),
            columns.text(),
            columns.texts(),
            columns.length(),
            columns.share(),
            columns.number(),
            columns.texts());
    return new NodeFigures(figures.node(), figures.period(), state, figures.figures(), isLast);
  }

  /** Reads the columns of the part "figures". */
  static NodePeriod period(ResultSet row) throws SQLException {
    return new Columns(row, 1).period();
  }

  /** Reads one column after the other: arguments are evaluated from left to right. */
  private static final class Columns {
    private final ResultSet row;
    private int column;

    private Columns(ResultSet row, int first) {
      this.row = row;
      this.column = first;
    }

    private int next() {
      return column++;
    }

    private long number() throws SQLException {
      return row.getLong(next());
    }

    private String text() throws SQLException {
      return NonNullColumns.text(row, next());
    }

    private @Nullable Duration length() throws SQLException {
      return NullableColumns.number(row, next(), EpochMicros::toDuration);
    }

    private @Nullable Double share() throws SQLException {
      double share = row.getDouble(next());
      return row.wasNull() ? null : (Double) share;
    }

    private Object[] array() throws SQLException {
      Array array = requireNonNull(row.getArray(next()));
      return (Object[]) requireNonNull(array.getArray());
    }

    private List<String> texts() throws SQLException {
      List<String> texts = new ArrayList<>();
      for (Object text : array()) {
        texts.add((String) text);
      }
      return texts;
    }

    private NodePeriod period() throws SQLException {
      return new NodePeriod(
          new NodeId(NonNullColumns.uuid(row, next())),
          number(),
          new PeriodFigures(
              work(), work(), number(), number(), number(), number(), number(), number(), letters(),
              length()));
    }

    private WorkFigures work() throws SQLException {
      return new WorkFigures(
          number(),
          number(),
          number(),
          LatenessCounts.ofBytes(NonNullColumns.bytes(row, next())),
          length());
    }

    private Map<String, Long> letters() throws SQLException {
      List<String> routes = texts();
      Object[] counts = array();
      Map<String, Long> letters = new HashMap<>();
      for (int i = 0; i < counts.length; i++) {
        letters.put(routes.get(i), (Long) counts[i]);
      }
      return letters;
    }
  }
}
