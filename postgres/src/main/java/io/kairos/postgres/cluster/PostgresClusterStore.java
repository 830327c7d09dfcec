package io.kairos.postgres.cluster;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.cluster.ClusterNode;
import io.kairos.engine.cluster.ClusterStore;
import io.kairos.engine.cluster.FigurePeriod;
import io.kairos.engine.cluster.NodeDetails;
import io.kairos.engine.cluster.NodeFigures;
import io.kairos.engine.cluster.NodePeriod;
import io.kairos.engine.cluster.RouteFigures;
import io.kairos.engine.cluster.WaitingCounts;
import io.kairos.engine.cluster.WaitingCounts.Bar;
import io.kairos.engine.cluster.WaitingCounts.Count;
import io.kairos.engine.cluster.WaitingSpan;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@link ClusterStore} on the tables {@code node_figures} and {@code route_figures} and those of
 * what waits. Writes of the node and questions of calls use different connections.
 */
public record PostgresClusterStore(SqlDatabase forNode, SqlDatabase forCalls)
    implements ClusterStore {
  private static final SqlStatement TIME = SqlStatement.load("node/time.sql");
  private static final SqlStatement WRITE = SqlStatement.load("cluster/write.sql");
  private static final SqlStatement READ = SqlStatement.load("cluster/read.sql");
  private static final SqlStatement PRUNE = SqlStatement.load("cluster/prune.sql");
  private static final SqlStatement TELL = SqlStatement.load("cluster/tell.sql");
  private static final SqlStatement DETAILS = SqlStatement.load("cluster/details.sql");
  private static final SqlStatement PRUNE_DETAILS = SqlStatement.load("cluster/details_prune.sql");
  private static final SqlStatement NODES = SqlStatement.load("cluster/nodes.sql");
  private static final SqlStatement FIRES = SqlStatement.load("cluster/fires.sql");
  private static final SqlStatement ENQUEUED = SqlStatement.load("cluster/tasks_enqueued.sql");
  private static final SqlStatement ROUTES_TELL = SqlStatement.load("cluster/routes_tell.sql");
  private static final SqlStatement ROUTES_TOLD = SqlStatement.load("cluster/routes_told.sql");
  private static final SqlStatement ROUTES_FORGET = SqlStatement.load("cluster/routes_forget.sql");
  private static final SqlStatement ROUTES_PRUNE = SqlStatement.load("cluster/routes_prune.sql");
  private static final SqlStatement ROUTES_MESSAGES =
      SqlStatement.load("cluster/routes_messages.sql");
  private static final SqlStatement ROUTES_SAMPLE = SqlStatement.load("cluster/routes_sample.sql");
  private static final SqlStatement HELD = SqlStatement.load("cluster/messages_held.sql");
  private static final Statements TASKS =
      new Statements(
          SqlStatement.load("cluster/tasks.sql"),
          SqlStatement.load("cluster/tasks_sample.sql"),
          SqlStatement.load("cluster/tasks_pages.sql"));
  private static final Statements MESSAGES =
      new Statements(
          SqlStatement.load("cluster/messages.sql"),
          SqlStatement.load("cluster/messages_sample.sql"),
          SqlStatement.load("cluster/messages_pages.sql"));

  private static final String COUNTING = "counting what waits";
  private static final int FIRST_TOLD = 6;

  /** Messages of a route that are counted one by one. */
  private static final int ROUTE_EXACT = 10_000;

  private static final int SAMPLED_PAGES = 2_000;
  private static final double PERCENT = 100;

  /** The most messages in the memory of nodes that are counted; beyond that the count is a part. */
  private static final int MOST_HELD = 500_000;

  /** Those of one kind of work. */
  private record Statements(SqlStatement count, SqlStatement sample, SqlStatement pages) {}

  @Override
  public Instant now() {
    return forCalls
        .call("asking the store for its time", TIME)
        .one(row -> NonNullColumns.instant(row, 1));
  }

  @Override
  public void write(List<NodeFigures> told) {
    if (told.size() == 1) {
      FigureRows.write(forNode.call("sharing figures", WRITE), told.getFirst()).update();
      return;
    }
    forNode.transaction(
        "sharing figures",
        connection -> {
          told.forEach(one -> FigureRows.write(WRITE.on(connection), one).update());
          return told.size();
        });
  }

  @Override
  public List<NodePeriod> figures(long from, long to) {
    return forCalls
        .call("reading figures", READ)
        .with("from_period", from)
        .with("to_period", to)
        .list(FigureRows::period);
  }

  @Override
  public void tell(NodeDetails told) {
    var _ = DetailRows.write(forNode.call("sharing details", TELL), told).update();
  }

  @Override
  public List<NodeDetails> details(long from) {
    return forCalls
        .call("reading details", DETAILS)
        .with("from_period", from)
        .list(DetailRows::read);
  }

  @Override
  public int prune(long from, long to) {
    var _ = forNode.call("pruning details", PRUNE_DETAILS).with("from_period", from).update();
    forNode.call("pruning what is told of routes", ROUTES_PRUNE).with("from_period", from).update();
    return forNode
        .call("pruning figures", PRUNE)
        .with("from_period", from)
        .with("to_period", to)
        .update();
  }

  @Override
  public void tellRoutes(NodeId node, long period, List<RouteFigures> routes) {
    if (routes.isEmpty()) {
      forNode.call("forgetting routes", ROUTES_FORGET).with("node_id", node.value()).update();
      return;
    }
    forNode.transaction(
        "telling of routes",
        connection -> {
          routes.forEach(
              told -> RouteRows.tell(ROUTES_TELL.on(connection), node, period, told).update());
          return routes.size();
        });
  }

  @Override
  public List<RouteFigures> toldRoutes(long from) {
    return forCalls
        .call("reading what is told of routes", ROUTES_TOLD)
        .with("from_period", from)
        .list(RouteRows::read);
  }

  @Override
  public Map<String, Count> messagesByRoute() {
    Map<String, Count> counts = new TreeMap<>();
    Map<String, Long> exact =
        forCalls
            .call(COUNTING, ROUTES_MESSAGES)
            .with("most", ROUTE_EXACT + 1)
            .map(row -> NonNullColumns.text(row, 1), row -> row.getLong(2));
    exact.forEach((route, count) -> counts.put(route, new Count(count, false)));
    if (exact.values().stream().anyMatch(count -> count > ROUTE_EXACT)) {
      long pages = forCalls.call(COUNTING, MESSAGES.pages).one(row -> row.getLong(1));
      double percent = Math.min(PERCENT, PERCENT * SAMPLED_PAGES / Math.max(1, pages));
      Map<String, Long> sample =
          forCalls
              .call(COUNTING, ROUTES_SAMPLE)
              .with("percent", percent)
              .map(row -> NonNullColumns.text(row, 1), row -> row.getLong(2));
      counts.replaceAll((route, count) ->
          count.count() <= ROUTE_EXACT
              ? count
              : new Count(
                  Math.max(
                      count.count(),
                      Math.round(sample.getOrDefault(route, 0L) * PERCENT / percent)),
                  true));
    }
    return counts;
  }

  @Override
  public List<ClusterNode> nodes(long after) {
    return forCalls
        .call("looking for nodes", NODES)
        .with("after_period", after)
        .list(PostgresClusterStore::node);
  }

  private static ClusterNode node(ResultSet row) throws SQLException {
    NodeFigures told = row.getBoolean(5) ? FigureRows.read(row, FIRST_TOLD) : null;
    Instant seenAt = instant(row, 2);
    if (seenAt == null) {
      seenAt = told == null ? Instant.EPOCH : FigurePeriod.end(told.period());
    }
    return new ClusterNode(
        new NodeId(NonNullColumns.uuid(row, 4)),
        instant(row, 1),
        seenAt,
        row.getBoolean(3),
        told == null ? null : told.state(),
        told == null ? null : told.figures().hiccup());
  }

  private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  @Override
  public WaitingCounts waiting(WaitingSpan span) {
    WaitingCells cells = WaitingCells.of(span, now());
    List<Count> tasks = new ArrayList<>(count(TASKS, cells, cells.nowMicros()));
    add(byCell(cells.on(forCalls.call(COUNTING, ENQUEUED)), cells), false, tasks);
    List<Count> messages = new ArrayList<>(count(MESSAGES, cells, cells.nowMicros()));
    long[] held = byCell(cells.on(forCalls.call(COUNTING, HELD)).with("most", MOST_HELD), cells);
    add(held, Arrays.stream(held).sum() >= MOST_HELD, messages);
    long[] fires =
        byCell(
            cells
                .on(forCalls.call(COUNTING, FIRES))
                .with("to_micros", cells.endMicros())
                .with("most", WaitingCount.EXACT),
            cells);
    return new WaitingCounts(
        bars(cells, tasks, messages, fires),
        sum(tasks),
        sum(messages),
        tasks.getFirst(),
        messages.getFirst());
  }

  private static void add(long[] more, boolean isEstimated, List<Count> counts) {
    for (int cell = 0; cell < more.length; cell++) {
      counts.set(cell, counts.get(cell).plus(new Count(more[cell], isEstimated)));
    }
  }

  private static List<Bar> bars(
      WaitingCells cells, List<Count> tasks, List<Count> messages, long[] fires) {
    List<Bar> bars = new ArrayList<>();
    for (int cell = 1; cell < cells.count() - 1; cell++) {
      Count ofTasks = tasks.get(cell);
      Count ofMessages = messages.get(cell);
      long ofFires = fires[cell];
      if (cell == 1) {
        ofTasks = ofTasks.plus(tasks.getFirst());
        ofMessages = ofMessages.plus(messages.getFirst());
        ofFires += fires[0];
      }
      long at = cells.beginMicros() + (cell - 1) * cells.span().lengthMicros();
      bars.add(
          new Bar(
              EpochMicros.toInstant(at),
              ofTasks.count(),
              ofMessages.count(),
              ofFires,
              ofTasks.isEstimated() || ofMessages.isEstimated()));
    }
    return bars;
  }

  private static Count sum(List<Count> counts) {
    return counts.stream().reduce(new Count(0, false), Count::plus);
  }

  private List<Count> count(Statements statements, WaitingCells cells, long seed) {
    return new WaitingCount(new Table(forCalls, statements, cells), cells, seed).all();
  }

  private static long[] byCell(SqlCall call, WaitingCells cells) {
    long[] counts = new long[cells.count()];
    call.each(row -> counts[row.getInt(1)] = row.getLong(2));
    return counts;
  }

  /** A table of what waits. */
  private record Table(SqlDatabase database, Statements statements, WaitingCells cells)
      implements WaitingCount.Source {
    @Override
    public long[] count(long fromMicros, long toMicros, int most) {
      return byCell(
          cells
              .on(database.call(COUNTING, statements.count))
              .with("from_micros", fromMicros)
              .with("to_micros", toMicros)
              .with("most", most),
          cells);
    }

    @Override
    public long[][] sample(double percent, long seed) {
      long[][] samples = new long[WaitingCount.SAMPLES][cells.count()];
      cells
          .on(database.call(COUNTING, statements.sample))
          .with("percent", percent)
          .with("seed", (double) seed)
          .each(row -> samples[row.getInt(1)][row.getInt(2)] = row.getLong(3));
      return samples;
    }

    @Override
    public long pages() {
      return database.call(COUNTING, statements.pages).one(row -> row.getLong(1));
    }
  }
}
