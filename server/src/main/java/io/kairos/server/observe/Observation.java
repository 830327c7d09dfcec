package io.kairos.server.observe;

import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.DelayEvents;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.loop.Step;
import io.kairos.engine.time.Monotonic;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Everything that watches a delay node, put together: listeners to give to it, gauges over it and
 * three steps to drive.
 */
public final class Observation {
  private final MeterRegistry registry;
  private final InstantSource clock;
  private final DelayMetrics metrics;
  private final DelayLog log;
  private final HiccupStep hiccups;
  private final StoreView store;
  private final ObserveStep observe;

  public Observation(
      MeterRegistry registry,
      Map<RouteId, String> routeNames,
      MessageStore messages,
      InstantSource clock,
      Monotonic monotonic) {
    this.registry = registry;
    this.clock = clock;
    Outages outages = new Outages(monotonic);
    DeadLetterCounts deadLetters = new DeadLetterCounts();
    this.metrics = new DelayMetrics(registry, routeNames);
    this.log = new DelayLog(routeNames, outages, deadLetters);
    this.hiccups = new HiccupStep(registry, monotonic);
    this.store = new StoreView(() -> messages.overview(routeNames.keySet()), clock);
    this.observe = new ObserveStep(metrics, hiccups, outages, deadLetters);
  }

  /** To be given to the node. */
  public DelayEvents events() {
    return new EveryListener(List.of(metrics, log));
  }

  /** Shows what the node does at the moment. */
  public void watch(Supplier<DelayNode.Status> status, BooleanSupplier ready) {
    NodeGauges.register(registry, status, ready, store, clock);
  }

  /** To be driven, each on a thread of its own. */
  public List<Step> steps() {
    return List.of(hiccups, observe, new StoreStep(store));
  }
}
