package io.kairos.server.wiring;

import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.postgres.delay.RouteTopics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of nodes that serve a route with different topics: both run, and messages come from and go
 * to the topics of either. Each node states its topics when it starts and looks at what others have
 * stated since. They may differ for the length of a change, so this is no reason to refuse.
 */
final class RouteAgreement {
  private static final Logger LOG = LoggerFactory.getLogger(RouteAgreement.class);
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final String REMEDY =
      "nodes that disagree on a route's topics all run, each with its own: if this is a change,"
          + " restart the other nodes with it";

  private final Map<String, RouteTopics> mine;
  private final Supplier<Map<String, RouteTopics>> stated;
  private volatile Map<String, String> differences = Map.of();

  RouteAgreement(Map<String, RouteTopics> mine, Supplier<Map<String, RouteTopics>> stated) {
    this.mine = Map.copyOf(mine);
    this.stated = stated;
  }

  /**
   * States this node's topics, and warns of routes that were served with others.
   *
   * @param state stores the topics of a route and returns those before
   */
  void state(BiFunction<String, RouteTopics, Optional<RouteTopics>> state) {
    new TreeMap<>(mine)
        .forEach((route, topics) ->
            state
                .apply(route, topics)
                .filter(before -> !before.equals(topics))
                .ifPresent(before -> warn(route, topics, before)));
  }

  private static void warn(String route, RouteTopics topics, RouteTopics others) {
    LOG.atWarn()
        .addKeyValue("route", route)
        .addKeyValue("here", topics)
        .addKeyValue("elsewhere", others)
        .log(REMEDY);
  }

  Step step() {
    return Step.of(
        "observe-routes",
        () -> {
          look();
          return NextRound.after(EVERY);
        });
  }

  void look() {
    Map<String, RouteTopics> others = stated.get();
    Map<String, String> found = new TreeMap<>();
    mine.forEach((route, topics) -> {
      RouteTopics other = others.get(route);
      if (other != null && !other.equals(topics)) {
        found.put(route, "here " + topics + ", on a node that started later " + other);
        if (!differences.containsKey(route)) {
          warn(route, topics, other);
        }
      }
    });
    differences = found;
  }

  /** Differences by route, for {@code /readyz}. */
  List<String> differences() {
    return differences.entrySet().stream()
        .map(each -> each.getKey() + ": " + each.getValue())
        .toList();
  }
}
