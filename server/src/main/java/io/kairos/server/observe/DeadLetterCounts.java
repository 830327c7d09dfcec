package io.kairos.server.observe;

import io.kairos.domain.delay.Rejection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells dead letters (CH-8: an error is logged): the first of a route and reason at once, those
 * that follow as a count every few seconds, so that a stream of poison does not become a stream of
 * logs. Any thread.
 */
public final class DeadLetterCounts {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterCounts.class);

  /** Dead letters since the last line; a kind that is absent has been quiet. */
  private final Map<Kind, Long> sinceLine = new ConcurrentHashMap<>();

  private record Kind(String route, Rejection.Reason reason) {}

  void add(String route, Rejection.Reason reason) {
    Kind kind = new Kind(route, reason);
    Long before = sinceLine.get(kind);
    if (before == null && sinceLine.putIfAbsent(kind, 0L) == null) {
      log(kind, 1);
    } else {
      sinceLine.merge(kind, 1L, Long::sum);
    }
  }

  /** Every few seconds, by one thread. */
  void sweep() {
    for (Kind kind : sinceLine.keySet()) {
      sinceLine.computeIfPresent(
          kind,
          (k, count) -> {
            if (count == 0) {
              return null;
            }
            log(k, count);
            return 0L;
          });
    }
  }

  private static void log(Kind kind, long count) {
    LOG.atError()
        .addKeyValue("route", kind.route)
        .addKeyValue("reason", kind.reason.label())
        .addKeyValue("count", count)
        .log("records could not be handled and are on the dead-letter topic");
  }
}
