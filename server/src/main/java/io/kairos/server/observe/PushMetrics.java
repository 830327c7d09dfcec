package io.kairos.server.observe;

import static io.kairos.server.observe.Meters.counter;

import io.kairos.domain.task.PoolName;
import io.kairos.server.push.PushEvents;
import io.kairos.server.push.PushNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what pushing does, and says which endpoints it leaves out. Pools are no labels: their
 * queues have metrics of their own.
 */
public final class PushMetrics implements PushEvents {
  private static final Logger LOG = LoggerFactory.getLogger(PushMetrics.class);
  private static final String ANSWERS = "kairos.push.answers";

  private final MeterRegistry registry;
  private final List<Timer> byClass;
  private final Counter notSent;
  private final Counter unknown;
  private final Counter ejected;
  private final Counter goesOn;
  private final Counter lost;

  public PushMetrics(MeterRegistry registry) {
    this.registry = registry;
    byClass =
        Stream.of("1xx", "2xx", "3xx", "4xx", "5xx")
            .map(status ->
                Timer.builder(ANSWERS)
                    .description("Answers of endpoints, and how long they took")
                    .tag("status", status)
                    .register(registry))
            .toList();
    notSent = counter(registry, "kairos.push.not.sent", "Requests that reached no endpoint");
    unknown =
        counter(
            registry, "kairos.push.unknown", "Requests that were sent and not answered in time");
    ejected = counter(registry, "kairos.push.ejected", "Times that an endpoint was left out");
    goesOn = counter(registry, "kairos.push.later", "Attempts that went on after an answer 202");
    lost = counter(registry, "kairos.push.lost", "Attempts whose lease could not be kept");
  }

  /** From now on it is known how many requests are under way. */
  public void watch(PushNode node) {
    Gauge.builder("kairos.push.in.flight", node, PushNode::inFlight)
        .description("Requests under way, and attempts whose end the store does not know yet")
        .register(registry);
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
