package io.kairos.server.wiring;

import java.util.Collection;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns at start of messages that perhaps no node fires: a route that is no longer configured keeps
 * its pending messages. The default route disappears in this way when the first route is
 * configured.
 */
final class UnservedRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(UnservedRoutes.class);

  private UnservedRoutes() {}

  /**
   * Logs one warning per route that this node does not serve and that has messages.
   *
   * @param pending number of pending messages of every route in the store
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
