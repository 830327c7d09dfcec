package io.kairos.bench.graph;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.graph.GraphJudge.Edge;
import io.kairos.bench.graph.GraphJudge.Stored;
import io.kairos.bench.measure.BenchSql;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.OnFailure;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the store says of tasks and their edges, when all is over. */
public final class GraphTables {
  private static final String TASKS =
      """
      select id, state::text, finished_at, fence,
        (select string_agg(f ->> 'attempt', ' ') from jsonb_array_elements(failures) f)
      from finished_task
      union all
      select id, state::text, 0, fence,
        (select string_agg(f ->> 'attempt', ' ') from jsonb_array_elements(failures) f)
      from task
      """;

  private static final String EDGES =
      "select predecessor, successor, on_failure::text from task_edge";

  private GraphTables() {}

  /** Tells the judge of all tasks, and returns how many there are in each state. */
  public static Map<TaskState, Integer> read(Connection connection, GraphJudge judge)
      throws SQLException {
    Map<TaskState, Integer> counts = new EnumMap<>(TaskState.class);
    BenchSql.each(
        connection,
        row -> {
          Stored task =
              new Stored(
                  state(text(row, 2)), row.getLong(3), row.getLong(4), numbers(row.getString(5)));
          counts.merge(task.state(), 1, Integer::sum);
          judge.stored(uuid(row, 1), task);
        },
        TASKS);
    return counts;
  }

  public static Set<Edge> edges(Connection connection) throws SQLException {
    Set<Edge> edges = new HashSet<>();
    BenchSql.each(connection, row -> edges.add(edge(row)), EDGES);
    return edges;
  }

  private static Edge edge(ResultSet row) throws SQLException {
    OnFailure onFailure =
        switch (text(row, 3)) {
          case "B" -> OnFailure.BLOCK;
          case "F" -> OnFailure.FAIL;
          case "C" -> OnFailure.CONTINUE;
          default -> throw new IllegalStateException("an edge of the mode " + row.getString(3));
        };
    return new Edge(uuid(row, 1), uuid(row, 2), onFailure);
  }

  private static UUID uuid(ResultSet row, int column) throws SQLException {
    return requireNonNull(row.getObject(column, UUID.class));
  }

  private static String text(ResultSet row, int column) throws SQLException {
    return requireNonNull(row.getString(column));
  }

  private static TaskState state(String code) {
    return switch (code) {
      case "N" -> TaskState.NEW;
      case "E" -> TaskState.ENQUEUED;
      case "P" -> TaskState.PROCESSING;
      case "R" -> TaskState.RETRIABLE_FAILURE;
      case "A" -> TaskState.AWAITING;
      case "B" -> TaskState.BLOCKED;
      case "H" -> TaskState.PAUSED;
      case "S" -> TaskState.SUCCEEDED;
      case "F" -> TaskState.FAILED;
      case "C" -> TaskState.CANCELLED;
      case "D" -> TaskState.DEAD;
      default -> throw new IllegalStateException("a task in the state " + code);
    };
  }

  private static Set<Integer> numbers(@Nullable String some) {
    return some == null
        ? Set.of()
        : Arrays.stream(some.split(" ", -1)).map(Integer::valueOf).collect(Collectors.toSet());
  }
}
