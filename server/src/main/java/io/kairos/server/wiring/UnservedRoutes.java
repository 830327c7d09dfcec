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
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of messages that perhaps no node fires, because this one does not serve their route. A
 * route that is no longer configured keeps its messages; the default route disappears in this way
 * when the first route is configured. A node without a broker serves no route, but may fire
 * schedules whose messages wait for a node that does.
 */
final class UnservedRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(UnservedRoutes.class);
  private static final Duration EVERY = Duration.ofMinutes(1);

  /** A node that serves the route has fired its messages by then, also after a failover. */
  private static final Duration OVERDUE_AFTER = Duration.ofMinutes(1);

  private final Collection<String> served;
  private final Supplier<Map<String, RouteBacklog>> backlogs;
  private final InstantSource clock;

  /** Routes whose messages were overdue at the last look. */
  private Set<String> overdue = Set.of();

  /**
   * @param backlogs the messages of every route in the store
   */
  UnservedRoutes(
      Collection<String> served,
      Supplier<Map<String, RouteBacklog>> backlogs,
      InstantSource clock) {
    this.served = served;
    this.backlogs = backlogs;
    this.clock = clock;
  }

  /** Logs one warning per unserved route that has messages, whenever they are due. */
  void begin() {
    Map<String, RouteBacklog> unserved = unserved();
    unserved.forEach(UnservedRoutes::warn);
    overdue = overdue(unserved).keySet();
  }

  Step step() {
    return Step.of(
        "observe-unserved",
        () -> {
          look();
          return NextRound.after(EVERY);
        });
  }

  /**
   * Logs one warning per unserved route whose messages are overdue, and were not at the last look.
   */
  void look() {
    Map<String, RouteBacklog> found = overdue(unserved());
    found.forEach((route, backlog) -> {
      if (!overdue.contains(route)) {
        warn(route, backlog);
      }
    });
    overdue = found.keySet();
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

  private static void warn(String route, RouteBacklog backlog) {
    LOG.atWarn()
        .addKeyValue("route", route)
        .addKeyValue("pending", backlog.pending() > 10_000 ? "more than 10000" : backlog.pending())
        .log(
            "the store has messages of a route that this node does not serve, and unless another"
                + " node does they never fire: configure delay.routes."
                + route
                + " again, with its input and output, on a node with a broker");
  }
}
