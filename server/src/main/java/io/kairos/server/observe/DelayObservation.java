package io.kairos.server.observe;

import io.kairos.domain.delay.RouteId;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.setup.DelayEvents;
import io.kairos.engine.loop.Step;
import io.kairos.engine.time.MonotonicClock;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The observers of a delay node: a listener for it, gauges over it, and steps to run. */
public final class DelayObservation {
  private final MeterRegistry registry;
  private final InstantSource clock;
  private final SendOutages outages;
  private final DeadLetterCounts deadLetters = new DeadLetterCounts();
  private final DelayMetrics metrics;
  private final HiccupStep hiccups;
  private final StoreView store;

  public DelayObservation(
      MeterRegistry registry,
      Map<RouteId, String> routeNames,
      MessageStore messages,
      InstantSource clock,
      MonotonicClock monotonic) {
    this.registry = registry;
    this.clock = clock;
    this.outages = new SendOutages(monotonic);
    this.metrics =
        new DelayMetrics(registry, routeNames, new DelayLog(routeNames, outages, deadLetters));
    this.hiccups = new HiccupStep(registry, monotonic);
    this.store = new StoreView(() -> messages.overview(routeNames.keySet()), clock);
  }

  /** The listener for the node's events. */
  public DelayEvents events() {
    return metrics;
  }

  /** Registers gauges over the node's present state. */
  public void watch(Supplier<DelayNode.Status> status, BooleanSupplier ready) {
    NodeGauges.register(registry, status, ready, store, clock);
  }

  /** Steps to run, each on a thread of its own. */
  public List<Step> steps() {
    return List.of(
        hiccups,
        new RegularStep("observe", this::look),
        // A step of its own asks the store, so that only this step fails with an unavailable store.
        new RegularStep("observe-store", store::ask));
  }

  /** Updates the recent percentiles and writes the summarizing logs. Does not block. */
  private void look() {
    metrics.turn();
    hiccups.turn();
    outages.sweep();
    deadLetters.sweep();
  }
}
