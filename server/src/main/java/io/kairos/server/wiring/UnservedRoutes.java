package io.kairos.server.wiring;

import java.util.Collection;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns at start of messages that nobody may be there to fire: a route that was configured once and
 * is not any more keeps what it has accepted. With the first route of one's own that happens to the
 * default one.
 */
final class UnservedRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(UnservedRoutes.class);

  private UnservedRoutes() {}

  /**
   * One warning per route.
   *
   * @param pending messages of every route that the store knows
   */
  static void warn(Map<String, Integer> pending, Collection<String> served) {
    pending.forEach((route, count) -> {
      if (count > 0 && !served.contains(route)) {
        LOG.atWarn()
            .addKeyValue("route", route)
            .addKeyValue("pending", count > 10_000 ? "more than 10000" : count)
            .log(
                "the store has messages of a route that this node does not serve, and unless another node does they"
                    + " never fire: configure delay.routes."
                    + route
                    + " again, with its input and output");
      }
    });
  }
}
