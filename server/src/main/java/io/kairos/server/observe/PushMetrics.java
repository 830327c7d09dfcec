package io.kairos.server.observe;

import io.kairos.domain.task.queue.PoolName;
import io.kairos.push.PushEvents;
import io.kairos.push.PushNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of pushing, and logs of ejected endpoints. Pools are not labels, because their queues
 * have metrics of their own.
 */
public final class PushMetrics implements PushEvents {
  private static final Logger LOG = LoggerFactory.getLogger(PushMetrics.class);
  private static final String ANSWERS = "kairos.push.answers";

  private final MeterFactory meters;
  private final List<Timer> byClass;
  private final Counter notSent;
  private final Counter unknown;
  private final Counter ejected;
  private final Counter goesOn;
  private final Counter lost;

  public PushMetrics(MeterRegistry registry) {
    meters = new MeterFactory(registry);
    byClass =
        Stream.of("1xx", "2xx", "3xx", "4xx", "5xx")
            .map(status ->
                Timer.builder(ANSWERS)
                    .description("Answers of endpoints, and how long they took")
                    .tag("status", status)
                    .register(registry))
            .toList();
    notSent = meters.counter("kairos.push.not.sent", "Requests that reached no endpoint");
    unknown =
        meters.counter("kairos.push.unknown", "Requests that were sent and not answered in time");
    ejected = meters.counter("kairos.push.ejected", "Times that an endpoint was left out");
    goesOn = meters.counter("kairos.push.later", "Attempts that went on after an answer 202");
    lost = meters.counter("kairos.push.lost", "Attempts whose lease could not be kept");
  }

  /** Registers a gauge over the node's requests in flight. */
  public void watch(PushNode node) {
    meters.gauge(
        "kairos.push.in.flight",
        "Requests under way, and attempts whose end the store does not know yet",
        node::inFlight);
  }

  @Override
  public void answered(PoolName pool, int status, long tookNanos) {
    int kind = Math.min(byClass.size(), Math.max(1, status / 100)) - 1;
    byClass.get(kind).record(Duration.ofNanos(tookNanos));
  }

  @Override
  public void notSent(PoolName pool) {
    notSent.increment();
  }

  @Override
  public void unknown(PoolName pool) {
    unknown.increment();
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
  public void goesOn(PoolName pool) {
    goesOn.increment();
  }

  @Override
  public void lost(PoolName pool) {
    lost.increment();
  }
}
