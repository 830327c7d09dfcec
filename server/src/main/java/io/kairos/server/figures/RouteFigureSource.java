package io.kairos.server.figures;

import io.kairos.domain.delay.RouteId;
import io.kairos.engine.cluster.RouteFigures;
import io.kairos.engine.cluster.RouteFigures.Amendments;
import io.kairos.engine.cluster.RouteFigures.Input;
import io.kairos.engine.cluster.RouteFigures.Lane;
import io.kairos.engine.delay.memory.LaneTrouble;
import io.kairos.engine.delay.setup.Route;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What this node tells the others of its routes, bounded. Called by one thread, every few seconds;
 * does not block.
 *
 * @param node the node's name
 * @param troubles output partitions that are dead or slow
 * @param takenOver messages of a route that were taken over since the start
 * @param amendments of a route since the start
 */
public record RouteFigureSource(
    String node,
    List<Route> routes,
    Supplier<List<LaneTrouble>> troubles,
    ToLongFunction<RouteId> takenOver,
    Function<RouteId, Amendments> amendments)
    implements Supplier<List<RouteFigures>> {
  private static final Comparator<LaneTrouble> WORST_FIRST =
      Comparator.comparing(LaneTrouble::isDead)
          .thenComparing(LaneTrouble::length)
          .reversed()
          .thenComparing(trouble -> trouble.output().label())
          .thenComparingInt(LaneTrouble::partition);

  public RouteFigureSource {
    routes = List.copyOf(routes);
  }

  @Override
  public List<RouteFigures> get() {
    List<LaneTrouble> found = troubles.get();
    return routes.stream().map(route -> figures(route, found)).toList();
  }

  private RouteFigures figures(Route route, List<LaneTrouble> found) {
    return new RouteFigures(
        node,
        route.name(),
        route.inputTopic(),
        route.outputTopic().value(),
        route.deadLetterTopic().value(),
        route.source().progress().stream()
            .map(one -> new Input(one.partition(), one.position(), one.lag()))
            .sorted(
                Comparator.comparingLong(Input::lag).reversed().thenComparingLong(Input::partition))
            .limit(RouteFigures.MOST_INPUTS)
            .toList(),
        found.stream()
            .filter(trouble ->
                trouble.output().equals(route.outputTopic())
                    || route.allowedOutputs().contains(trouble.output()))
            .sorted(WORST_FIRST)
            .limit(RouteFigures.MOST_LANES)
            .map(RouteFigureSource::lane)
            .toList(),
        takenOver.applyAsLong(route.id()),
        amendments.apply(route.id()));
  }

  private static Lane lane(LaneTrouble trouble) {
    return new Lane(
        trouble.output().label(), trouble.partition(), trouble.words(), trouble.queued());
  }
}
