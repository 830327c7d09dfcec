package io.kairos.server.observe;

import io.kairos.domain.delay.RecordRejection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs dead letters as errors: the first of a route and reason at once, the following ones as a
 * count every few seconds, so that many bad records do not flood the log. Thread-safe.
 */
public final class DeadLetterCounts {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterCounts.class);

  /** Dead letters since the last log line; a kind without recent ones is absent. */
  private final Map<Kind, Long> sinceLine = new ConcurrentHashMap<>();

  private record Kind(String route, RecordRejection.Reason reason) {}

  void add(String route, RecordRejection.Reason reason) {
    Kind kind = new Kind(route, reason);
    Long before = sinceLine.get(kind);
    if (before == null && sinceLine.putIfAbsent(kind, 0L) == null) {
      log(kind, 1);
    } else {
      sinceLine.merge(kind, 1L, Long::sum);
    }
  }

  /** Logs the counts. Called every few seconds by one thread. */
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
