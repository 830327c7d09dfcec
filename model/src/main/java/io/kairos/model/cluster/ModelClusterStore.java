package io.kairos.model.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import io.kairos.engine.node.LivenessStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** {@link ClusterStore} in memory, which counts all that waits one by one. Thread-safe. */
public class ModelClusterStore implements ClusterStore {
  private static final Comparator<NodeFigures> EARLIEST_FIRST =
      Comparator.comparingLong(NodeFigures::period).thenComparing(told -> told.node().toString());

  private final InstantSource clock;
  private final LivenessStore liveness;
  private final Waiting waiting;

  @GuardedBy("this")
  private final Map<Place, NodeFigures> rows = new HashMap<>();

  @GuardedBy("this")
  private final Map<NodeId, NodeDetails> details = new HashMap<>();

  private final Map<NodeId, ToldRoutes> routes = new HashMap<>();

  private record ToldRoutes(long period, List<RouteFigures> routes) {}

  private record Place(long slot, NodeId node) {
    private static Place of(NodeFigures told) {
      return new Place(Math.floorMod(told.period(), FigurePeriod.KEPT), told.node());
    }
  }

  /**
   * The times of what waits, in microseconds since 1970.
   *
   * @param fires the next fire times of schedules
   */
  public record Waiting(
      Supplier<List<Long>> tasks, Supplier<List<Long>> messages, Supplier<List<Long>> fires) {
    /** Nothing waits. */
    public static final Waiting NOTHING = new Waiting(List::of, List::of, List::of);
  }

  /**
   * @param clock the store's own clock
   */
  public ModelClusterStore(InstantSource clock, LivenessStore liveness, Waiting waiting) {
    this.clock = clock;
    this.liveness = liveness;
    this.waiting = waiting;
  }

  @Override
  public final Instant now() {
    return clock.instant();
  }

  @Override
  public synchronized void write(List<NodeFigures> told) {
    for (NodeFigures one : told) {
      rows.merge(
          Place.of(one), one, (before, now) -> before.period() > now.period() ? before : now);
    }
  }

  @Override
  public synchronized List<NodePeriod> figures(long from, long to) {
    return rows.values().stream()
        .filter(told -> told.period() >= from && told.period() <= to)
        .sorted(EARLIEST_FIRST)
        .map(NodeFigures::withoutState)
        .toList();
  }

  @Override
  public synchronized void tell(NodeDetails told) {
    details.put(told.node(), told);
  }

  @Override
  public List<NodeDetails> details(long from) {
    Set<NodeId> ended =
        liveness.departed().stream().map(LivenessStore.Departed::node).collect(Collectors.toSet());
    synchronized (this) {
      return details.values().stream()
          .filter(told -> told.period() >= from && !ended.contains(told.node()))
          .toList();
    }
  }

  @Override
  public synchronized int prune(long from, long to) {
    details.values().removeIf(told -> told.period() < from);
    routes.values().removeIf(told -> told.period() < from);
    int before = rows.size();
    List<Long> slots = new ArrayList<>();
    for (long period = from; period <= to; period++) {
      slots.add((long) Math.floorMod(period, FigurePeriod.KEPT));
    }
    rows.values().removeIf(told -> told.period() < from && slots.contains(Place.of(told).slot()));
    return before - rows.size();
  }

  @Override
  public synchronized void tellRoutes(NodeId node, long period, List<RouteFigures> told) {
    routes.put(node, new ToldRoutes(period, List.copyOf(told)));
  }

  @Override
  public synchronized List<RouteFigures> toldRoutes(long from) {
    return routes.values().stream()
        .filter(told -> told.period() >= from)
        .flatMap(told -> told.routes().stream())
        .toList();
  }

  /** Knows of no routes what waits for them. */
  @Override
  public final Map<String, Count> messagesByRoute() {
    return Map.of();
  }

  @Override
  public List<ClusterNode> nodes(long after) {
    List<LivenessStore.Renewal> alive = liveness.alive();
    List<ClusterNode> nodes = new ArrayList<>();
    synchronized (this) {
      Map<NodeId, NodeFigures> latest = new HashMap<>();
      rows.values().stream()
          .filter(told -> told.period() > after)
          .sorted(EARLIEST_FIRST)
          .forEach(told -> latest.put(told.node(), told));
      for (LivenessStore.Renewal renewal : alive) {
        NodeFigures told = latest.remove(renewal.node());
        nodes.add(
            new ClusterNode(
                renewal.node(),
                null,
                renewal.at(),
                false,
                told == null ? null : told.state(),
                told == null ? null : told.figures().hiccup()));
      }
      latest.values().stream()
          .filter(told -> !told.isLast())
          .map(told ->
              new ClusterNode(
                  told.node(),
                  null,
                  FigurePeriod.end(told.period()),
                  true,
                  told.state(),
                  told.figures().hiccup()))
          .forEach(nodes::add);
    }
    return nodes;
  }

  @Override
  public WaitingCounts waiting(WaitingSpan span) {
    Instant now = now();
    long nowMicros = EpochMicros.of(now);
    List<Long> tasks = waiting.tasks().get();
    List<Long> messages = waiting.messages().get();
    List<Long> fires = waiting.fires().get();
    List<Bar> bars = new ArrayList<>();
    for (int bar = 0; bar < span.bars(); bar++) {
      long at = span.beginMicros(now) + bar * span.lengthMicros();
      long from = bar == 0 ? Long.MIN_VALUE : at;
      long to = at + span.lengthMicros();
      bars.add(
          new Bar(
              EpochMicros.toInstant(at),
              count(tasks, from, to),
              count(messages, from, to),
              count(fires, from, to),
              false));
    }
    return new WaitingCounts(
        bars,
        new Count(tasks.size(), false),
        new Count(messages.size(), false),
        new Count(count(tasks, Long.MIN_VALUE, nowMicros + 1), false),
        new Count(count(messages, Long.MIN_VALUE, nowMicros + 1), false));
  }

  private static long count(List<Long> times, long from, long to) {
    return times.stream().filter(time -> time >= from && time < to).count();
  }
}
