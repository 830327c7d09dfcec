package io.kairos.server.observe;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.queue.PoolName;
import io.kairos.push.PushEvents;
import io.kairos.push.PushNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of pushing, and logs of ejected endpoints. Pools are not labels, because their queues
 * have metrics of their own.
 */
public final class PushMetrics implements PushEvents {
  private static final Logger LOG = LoggerFactory.getLogger(PushMetrics.class);
  private static final double NANOS_PER_SECOND = 1e9;

  private final MeterFactory meters;
  private final List<DistributionSummary> byClass;
  private final Map<Counted, Counter> counters = new EnumMap<>(Counted.class);
  private final Counter ejected;

  public PushMetrics(MeterRegistry registry) {
    meters = new MeterFactory(registry);
    byClass =
        Stream.of("1xx", "2xx", "3xx", "4xx", "5xx")
            .map(status ->
                meters.seconds(
                    "kairos.push.answers",
                    "Answers of endpoints, and how long they took",
                    "status",
                    status))
            .toList();
    count(Counted.NOT_SENT, "kairos.push.not.sent", "Requests that reached no endpoint");
    count(
        Counted.UNKNOWN, "kairos.push.unknown", "Requests that were sent and not answered in time");
    count(Counted.GOES_ON, "kairos.push.later", "Attempts that went on after an answer 202");
    count(Counted.LOST, "kairos.push.lost", "Attempts whose lease could not be kept");
    ejected = meters.counter("kairos.push.ejected", "Times that an endpoint was left out");
  }

  private void count(Counted event, String name, String about) {
    counters.put(event, meters.counter(name, about));
  }

  /** Registers a gauge over the node's requests in flight. */
  public void watch(PushNode node) {
    meters.gauge(
        "kairos.push.in.flight",
        "Requests under way, and attempts whose end the store does not know yet",
        node::inFlight);
  }

  @Override
  public void happened(Counted event) {
    requireNonNull(counters.get(event)).increment();
  }

  @Override
  public void answered(int status, long tookNanos) {
    int kind = Math.min(byClass.size(), Math.max(1, status / 100)) - 1;
    byClass.get(kind).record(tookNanos / NANOS_PER_SECOND);
  }

  @Override
  public void ejected(PoolName pool, String endpoint) {
    ejected.increment();
    LOG.atWarn()
        .addKeyValue("pool", pool)
        .addKeyValue("endpoint", endpoint)
        .log("an endpoint has failed too often in a row and is left out for a while");
  }

  @Override
  public void unreadable(PoolName pool, RuntimeException why) {
    LOG.atWarn()
        .addKeyValue("pool", pool)
        .addKeyValue("why", why.getMessage())
        .log(
            "a pool cannot be read; its tasks wait for a node that can, perhaps of a later version");
  }
}
