package io.kairos.server.observe;

import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.DelayNode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Gauges over the node's present state. Read whenever somebody scrapes. */
final class NodeGauges {
  private final MeterRegistry registry;
  private final Supplier<DelayNode.Status> status;

  private NodeGauges(MeterRegistry registry, Supplier<DelayNode.Status> status) {
    this.registry = registry;
    this.status = status;
  }

  static void register(
      MeterRegistry registry,
      Supplier<DelayNode.Status> status,
      BooleanSupplier ready,
      StoreView store,
      InstantSource clock) {
    NodeGauges gauges = new NodeGauges(registry, status);
    gauges.add("kairos.delay.ready", "Messages that this node holds in memory", s -> s.held());
    gauges.add("kairos.delay.ready.bytes", "Bytes of the messages in memory", s -> s.heldBytes());
    gauges.add(
        "kairos.delay.queued", "Due messages that wait for their partition", s -> s.queued());
    gauges.add("kairos.delay.in.flight", "Messages sent, not answered", s -> s.inFlight());
    gauges.add(
        "kairos.delay.unsettled", "Messages acknowledged, not yet deleted", s -> s.unsettled());
    gauges.add(
        "kairos.delay.advance.seconds",
        "The timing advance in force",
        s -> s.advance().toNanos() / 1e9);
    Gauge.builder("kairos.node.ready", () -> ready.getAsBoolean() ? 1 : 0)
        .description("1 when the node is ready")
        .register(registry);
    Gauge.builder("kairos.delay.stored", store, StoreView::stored)
        .description("Messages waiting and ready in the store, of all nodes; an estimate")
        .register(registry);
    Gauge.builder("kairos.delay.amendments.pending", store, StoreView::pendingAmendments)
        .description("Cancels and reschedules that wait for their decision")
        .register(registry);
    Gauge.builder("kairos.delay.waiting", () -> waiting(store, status.get()))
        .description("Messages in the store that this node does not hold; an estimate")
        .register(registry);
    Gauge.builder("kairos.delay.oldest.overdue", () -> overdue(store, status.get(), clock))
        .description(
            "How long the oldest message is overdue that nobody has claimed, or that this node"
                + " holds unsent")
        .baseUnit("seconds")
        .register(registry);
  }

  /** The store's figure is some seconds old, so that the difference may fall below nothing. */
  private static double waiting(StoreView store, DelayNode.Status status) {
    return Math.max(0, store.stored() - status.held());
  }

  private static double overdue(StoreView store, DelayNode.Status status, InstantSource clock) {
    long oldest = Math.min(store.oldestOverdueMicros(), status.oldestDueMicros());
    long now = EpochMicros.of(clock.instant());
    return oldest >= now ? 0 : (now - oldest) / Meters.MICROS_PER_SECOND;
  }

  private void add(String name, String about, ToDoubleFunction<DelayNode.Status> of) {
    Gauge.builder(name, status, from -> of.applyAsDouble(from.get()))
        .description(about)
        .register(registry);
  }
}
