package io.kairos.engine.cluster;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.cluster.ClusterAlarms.Findings;
import io.kairos.engine.cluster.ClusterFigures.ClusterPeriod;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.KeyQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Answers questions about all nodes from the store, and of this node alone while that is away. */
public final class ClusterDesk implements ClusterEdge {
  /** A node that has not told its part of a period by then is not waited for. */
  private static final Duration TOLD_WITHIN = Duration.ofSeconds(15);

  /**
   * Earlier periods that are read to know which nodes tell figures, or have told what is of now.
   */
  private static final int EARLIER = 3;

  /** Periods after which a node that tells nothing of its routes does not serve them any more. */
  private static final int ROUTES_TOLD_WITHIN = 4;

  private static final WaitingCounts.Count NONE_WAITS = new WaitingCounts.Count(0, false);
  private static final int MOST_HANDLERS = 200;
  private static final int MOST_KEYS = 20;
  private static final NodeId NO_LIFE = new NodeId(new UUID(0, 0));

  /** So long an answer by handler and endpoint holds. */
  private static final Duration DETAILS_HOLD = Duration.ofSeconds(2);

  private final Ports ports;
  private final FiguresStep own;
  private volatile @Nullable ReadDetails latest;

  private record ReadDetails(DetailFigures figures, Instant at) {}

  /**
   * The surroundings of a desk.
   *
   * @param life the id of the node's present life; empty while it has none
   * @param clockBound how far clocks may be from the store's
   */
  public record Ports(
      ClusterStore store,
      LivenessStore liveness,
      TaskStore tasks,
      ScheduleStore schedules,
      Supplier<Optional<NodeId>> life,
      InstantSource clock,
      Duration clockBound) {}

  /**
   * @param own the figures of this node
   */
  public ClusterDesk(Ports ports, FiguresStep own) {
    this.ports = ports;
    this.own = own;
  }

  @Override
  public Optional<NodeId> self() {
    return ports.life().get();
  }

  @Override
  public ClusterState state() {
    try {
      return stateOfAll();
    } catch (StoreUnavailable e) {
      NodeSample sample = own.latest();
      NodeState state = sample == null ? null : sample.state();
      Instant now = ports.clock().instant();
      ClusterNode self =
          new ClusterNode(
              self().orElse(NO_LIFE),
              null,
              now,
              false,
              state,
              sample == null ? null : sample.figures().hiccup());
      return new ClusterState(List.of(self), ClusterAlarms.storeAway(state), now, true);
    }
  }

  private ClusterState stateOfAll() {
    Instant now = ports.store().now();
    long present = FigurePeriod.of(now);
    List<ClusterNode> nodes =
        ordered(ports.store().nodes(present - FigurePeriod.KEPT), self().orElse(NO_LIFE));
    long lately = ClusterAlarms.LATELY.dividedBy(FigurePeriod.LENGTH);
    List<NodePeriod> told = ports.store().figures(present - lately, present);
    PeriodFigures latest = sum(told, present - EARLIER);
    List<ClusterAlarm> alarms =
        ClusterAlarms.of(
            new Findings(
                now,
                nodes,
                sum(told, present - lately),
                latest.messages().oldestOverdue(),
                ports.tasks().backlogs(MOST_HANDLERS),
                ports.tasks().pauses(),
                ports.tasks().stuckKeys(new KeyQuery(null, null, MOST_KEYS)),
                ports.schedules().agenda(),
                ports.clockBound()));
    return new ClusterState(nodes, alarms, now, false);
  }

  private static PeriodFigures sum(List<NodePeriod> told, long from) {
    return told.stream()
        .filter(one -> one.period() >= from)
        .map(NodePeriod::figures)
        .reduce(PeriodFigures.NONE, PeriodFigures::plus);
  }

  /** Without lives that have ended of processes that live on. */
  private static List<ClusterNode> ordered(List<ClusterNode> nodes, NodeId self) {
    Set<String> living =
        nodes.stream()
            .filter(node -> !node.isDead())
            .map(ClusterNode::name)
            .collect(Collectors.toSet());
    return nodes.stream()
        .filter(node -> !node.isDead() || !living.contains(node.name()))
        .sorted(
            Comparator.comparing((ClusterNode node) -> !node.id().equals(self))
                .thenComparing(ClusterNode::isDead)
                .thenComparing(ClusterNode::name)
                .thenComparing(node -> node.id().toString()))
        .toList();
  }

  @Override
  public ClusterFigures figures(@Nullable Instant after) {
    try {
      Instant now = ports.store().now();
      long from = first(after, now);
      Set<NodeId> living =
          ports.liveness().alive().stream()
              .map(LivenessStore.Renewal::node)
              .collect(Collectors.toSet());
      List<NodePeriod> told = ports.store().figures(from - EARLIER, FigurePeriod.of(now));
      return new ClusterFigures(over(told, from, living, now), false);
    } catch (StoreUnavailable e) {
      Instant now = ports.clock().instant();
      List<NodePeriod> told =
          own.own(self().orElse(NO_LIFE), first(after, now) - 1).stream()
              .map(NodeFigures::withoutState)
              .toList();
      return new ClusterFigures(over(told, 0, Set.of(), now), true);
    }
  }

  private static long first(@Nullable Instant after, Instant now) {
    long first = FigurePeriod.of(now) - FigurePeriod.KEPT + EARLIER + 1;
    return after == null ? first : Math.max(first, FigurePeriod.of(after) + 1);
  }

  /**
   * Periods up to the first that is not over, so that a caller who goes on after the last one
   * misses none.
   */
  private static List<ClusterPeriod> over(
      List<NodePeriod> told, long from, Set<NodeId> living, Instant now) {
    Map<Long, List<NodePeriod>> byPeriod =
        told.stream()
            .collect(Collectors.groupingBy(NodePeriod::period, TreeMap::new, Collectors.toList()));
    Set<NodeId> expected = new HashSet<>();
    List<ClusterPeriod> over = new ArrayList<>();
    for (Map.Entry<Long, List<NodePeriod>> entry : byPeriod.entrySet()) {
      long period = entry.getKey();
      Set<NodeId> tellers =
          entry.getValue().stream().map(NodePeriod::node).collect(Collectors.toSet());
      boolean isTold = tellers.containsAll(expected);
      if (!isTold && FigurePeriod.end(period).plus(TOLD_WITHIN).isAfter(now)) {
        break;
      }
      if (period >= from) {
        over.add(new ClusterPeriod(period, tellers.size(), sum(entry.getValue(), from)));
      }
      expected.addAll(tellers);
      expected.retainAll(living);
    }
    return over;
  }

  @Override
  public DetailFigures lastMinute() {
    Instant now = ports.clock().instant();
    ReadDetails known = latest;
    if (known != null && !now.isBefore(known.at) && now.isBefore(known.at.plus(DETAILS_HOLD))) {
      return known.figures;
    }
    DetailFigures figures =
        ports.store().details(FigurePeriod.of(ports.store().now()) - EARLIER).stream()
            .map(NodeDetails::figures)
            .reduce(DetailFigures.NONE, DetailFigures::plus);
    latest = new ReadDetails(figures, now);
    return figures;
  }

  @Override
  public List<RouteState> routes() {
    Map<String, List<RouteFigures>> told =
        ports.store().toldRoutes(FigurePeriod.of(ports.store().now()) - ROUTES_TOLD_WITHIN).stream()
            .sorted(Comparator.comparing(RouteFigures::node))
            .collect(Collectors.groupingBy(RouteFigures::route));
    Map<String, WaitingCounts.Count> waiting = new TreeMap<>(ports.store().messagesByRoute());
    told.keySet().forEach(route -> waiting.putIfAbsent(route, NONE_WAITS));
    List<RouteState> routes = new ArrayList<>();
    waiting.forEach((route, count) -> {
      List<RouteFigures> ofRoute = told.getOrDefault(route, List.of());
      // A name that is not configured any more, and of which nothing is left, is of no use.
      if (count.count() > 0 || !ofRoute.isEmpty()) {
        routes.add(new RouteState(route, count, ofRoute));
      }
    });
    return routes;
  }

  @Override
  public WaitingCounts waiting(WaitingSpan span) {
    return ports.store().waiting(span);
  }
}
