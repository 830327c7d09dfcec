package io.kairos.server.observe;

import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.DelayNode;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Gauges over the node's present state, read at each scrape. */
final class NodeGauges {
  private NodeGauges() {}

  static void register(
      MeterRegistry registry,
      Supplier<DelayNode.Status> status,
      BooleanSupplier ready,
      StoreView store,
      InstantSource clock) {
    MeterFactory meters = new MeterFactory(registry);
    meters.gauge(
        "kairos.delay.ready", "Messages that this node holds in memory", () -> status.get().held());
    meters.gauge(
        "kairos.delay.ready.bytes",
        "Bytes of the messages in memory",
        () -> status.get().heldBytes());
    meters.gauge(
        "kairos.delay.queued",
        "Due messages that wait for their partition",
        () -> status.get().queued());
    meters.gauge(
        "kairos.delay.in.flight", "Messages sent, not answered", () -> status.get().inFlight());
    meters.gauge(
        "kairos.delay.unsettled",
        "Messages acknowledged, not yet deleted",
        () -> status.get().unsettled());
    meters.gauge(
        "kairos.delay.advance.seconds",
        "The timing advance in force",
        () -> status.get().advance().toNanos() / 1e9);
    meters.gauge(
        "kairos.node.ready", "1 when the node is ready", () -> ready.getAsBoolean() ? 1 : 0);
    meters.gauge(
        "kairos.delay.stored",
        "Messages waiting and ready in the store, of all nodes; an estimate",
        store::stored);
    meters.gauge(
        "kairos.delay.amendments.pending",
        "Cancels and reschedules that wait for their decision",
        store::pendingAmendments);
    meters.gauge(
        "kairos.delay.waiting",
        "Messages in the store that this node does not hold; an estimate",
        () -> waiting(store, status.get()));
    meters.gaugeOfSeconds(
        "kairos.delay.oldest.overdue",
        "How long the oldest message is overdue that nobody has claimed, or that this node holds unsent",
        () -> overdue(store, status.get(), clock));
  }

  private static double waiting(StoreView store, DelayNode.Status status) {
    return Math.max(0, store.stored() - status.held());
  }

  private static double overdue(StoreView store, DelayNode.Status status, InstantSource clock) {
    long oldest = Math.min(store.oldestOverdueMicros(), status.oldestDueMicros());
    long now = EpochMicros.of(clock.instant());
    return oldest >= now ? 0 : (now - oldest) / MeterFactory.MICROS_PER_SECOND;
  }
}
