package io.kairos.server.wiring;

import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.postgres.delay.RouteBacklog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of messages that no node fires, because none serves their route: they are overdue, or no
 * other node runs. A route that is no longer configured keeps its messages; the default route
 * disappears in this way when the first route is configured. A node without a broker serves no
 * route, but may fire schedules whose messages wait for a node that does.
 */
final class UnservedRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(UnservedRoutes.class);
  private static final Duration EVERY = Duration.ofMinutes(1);

  /** A node that serves the route has fired its messages by then, also after a failover. */
  private static final Duration OVERDUE_AFTER = Duration.ofMinutes(1);

  private final Collection<String> served;
  private final Supplier<Map<String, RouteBacklog>> backlogs;
  private final BooleanSupplier isAlone;
  private final InstantSource clock;

  /** Routes that no node served at the last look. */
  private Set<String> abandoned = Set.of();

  /**
   * @param backlogs the messages of every route in the store
   * @param isAlone true when no other node runs
   */
  UnservedRoutes(
      Collection<String> served,
      Supplier<Map<String, RouteBacklog>> backlogs,
      BooleanSupplier isAlone,
      InstantSource clock) {
    this.served = served;
    this.backlogs = backlogs;
    this.isAlone = isAlone;
    this.clock = clock;
  }

  /**
   * Refuses the start of a node that has no broker only because nothing names one, while messages
   * of any route are stored. Other nodes are not asked: in a rolling upgrade each of them would
   * count on the others.
   */
  void refuse() {
    Map<String, RouteBacklog> waiting = unserved();
    if (!waiting.isEmpty()) {
      String routes =
          waiting.entrySet().stream()
              .map(route -> route.getKey() + " (" + pending(route.getValue()) + ")")
              .collect(Collectors.joining(", "));
      throw new StartException(
          "Refusing to start without a broker: the store has messages of the routes "
              + routes
              + ", which need one, and kafka.bootstrap-servers is not set. Name the brokers there, or"
              + " embedded for one of this node's own (which was the default in earlier versions). To"
              + " leave the messages where they are, or to other nodes, write kafka: none"
              + " (--without-kafka).");
    }
  }

  Step step() {
    return Step.of(
        "observe-unserved",
        () -> {
          look();
          return NextRound.after(EVERY);
        });
  }

  /** Logs one warning per route that no node serves, and that was served at the last look. */
  void look() {
    Map<String, RouteBacklog> unserved = unserved();
    Map<String, RouteBacklog> found =
        unserved.isEmpty() || isAlone.getAsBoolean() ? unserved : overdue(unserved);
    found.forEach((route, backlog) -> {
      if (!abandoned.contains(route)) {
        warn(route, backlog);
      }
    });
    abandoned = found.keySet();
  }

  private Map<String, RouteBacklog> unserved() {
    Map<String, RouteBacklog> unserved = new TreeMap<>(backlogs.get());
    unserved.keySet().removeAll(served);
    unserved.values().removeIf(backlog -> backlog.pending() == 0);
    return unserved;
  }

  private Map<String, RouteBacklog> overdue(Map<String, RouteBacklog> unserved) {
    long beforeMicros = EpochMicros.of(clock.instant().minus(OVERDUE_AFTER));
    Map<String, RouteBacklog> found = new TreeMap<>(unserved);
    found
        .values()
        .removeIf(backlog -> backlog.firstWaitingMicros().orElse(Long.MAX_VALUE) >= beforeMicros);
    return found;
  }

  private static String pending(RouteBacklog backlog) {
    return backlog.pending() > 10_000 ? "more than 10000" : Integer.toString(backlog.pending());
  }

  private static void warn(String route, RouteBacklog backlog) {
    LOG.atWarn()
        .addKeyValue("route", route)
        .addKeyValue("pending", pending(backlog))
        .log(
            "the store has messages of a route that no node serves, so that they never fire:"
                + " configure delay.routes."
                + route
                + " again, with its input and output, on a node with a broker");
  }
}
