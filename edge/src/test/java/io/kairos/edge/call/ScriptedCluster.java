package io.kairos.edge.call;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.cluster.ClusterAlarm;
import io.kairos.engine.cluster.ClusterEdge;
import io.kairos.engine.cluster.ClusterFigures;
import io.kairos.engine.cluster.ClusterNode;
import io.kairos.engine.cluster.ClusterState;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.cluster.NodeState;
import io.kairos.engine.cluster.RouteState;
import io.kairos.engine.cluster.WaitingCounts;
import io.kairos.engine.cluster.WaitingCounts.Count;
import io.kairos.engine.cluster.WaitingSpan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Two nodes, of which the first answers and the second is dead, and answers that a test sets. */
final class ScriptedCluster implements ClusterEdge {
  static final NodeId SELF = new NodeId(new UUID(0, 1));
  static final NodeId DEAD = new NodeId(new UUID(0, 2));

  final AtomicInteger statesAsked = new AtomicInteger();
  final List<WaitingSpan> spansAsked = new CopyOnWriteArrayList<>();
  final List<Optional<Instant>> afters = new CopyOnWriteArrayList<>();
  volatile ClusterFigures figures = new ClusterFigures(List.of(), false);
  volatile DetailFigures lastMinute = DetailFigures.NONE;
  final AtomicInteger routesAsked = new AtomicInteger();
  volatile List<RouteState> routes = List.of();
  volatile Runnable whileAsked = () -> {};

  @Override
  public Optional<NodeId> self() {
    return Optional.of(SELF);
  }

  @Override
  public ClusterState state() {
    statesAsked.incrementAndGet();
    whileAsked.run();
    NodeState state =
        new NodeState(
            "db-7/11",
            "1.2.3",
            List.of("tasks", "pools"),
            Duration.ofMillis(-3),
            0.5,
            4_096,
            List.of());
    return new ClusterState(
        List.of(
            new ClusterNode(SELF, Edge.NOW, Edge.NOW, false, state, Duration.ofMillis(2)),
            new ClusterNode(DEAD, null, Edge.NOW, true, null, null)),
        List.of(
            new ClusterAlarm(
                ClusterAlarm.Severity.CRITICAL,
                "handler resize: nobody asks for it, 1,204 due",
                ClusterAlarm.Subject.HANDLER,
                "resize",
                Edge.NOW)),
        Edge.NOW,
        false);
  }

  @Override
  public ClusterFigures figures(@Nullable Instant after) {
    afters.add(Optional.ofNullable(after));
    return figures;
  }

  @Override
  public DetailFigures lastMinute() {
    return lastMinute;
  }

  @Override
  public List<RouteState> routes() {
    routesAsked.incrementAndGet();
    return routes;
  }

  @Override
  public WaitingCounts waiting(WaitingSpan span) {
    spansAsked.add(span);
    Count tasks = new Count(100_000 + spansAsked.size(), true);
    whileAsked.run();
    List<WaitingCounts.Bar> bars = new ArrayList<>();
    bars.add(new WaitingCounts.Bar(Edge.NOW, 7, 8, 9, true));
    return new WaitingCounts(
        bars, tasks, new Count(8, false), new Count(1, false), new Count(2, false));
  }
}
