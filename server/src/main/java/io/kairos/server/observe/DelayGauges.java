package io.kairos.server.observe;

import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.DelayNode.Status;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/** Gauges over the present state of the delay queue, read at each scrape. */
record DelayGauges(MeterFactory meters, Supplier<Status> status) {
  static void register(
      MeterRegistry registry,
      Supplier<Status> status,
      BooleanSupplier open,
      StoreView store,
      InstantSource clock) {
    MeterFactory meters = new MeterFactory(registry);
    DelayGauges node = new DelayGauges(meters, status);
    node.add("kairos.delay.ready", "Messages that this node holds in memory", Status::held);
    node.add("kairos.delay.ready.bytes", "Bytes of the messages in memory", Status::heldBytes);
    node.add("kairos.delay.queued", "Due messages that wait for their partition", Status::queued);
    node.add("kairos.delay.in.flight", "Messages sent, not answered", Status::inFlight);
    node.add("kairos.delay.unsettled", "Messages acknowledged, not yet deleted", Status::unsettled);
    node.add(
        "kairos.delay.advance.seconds",
        "The timing advance in force",
        now -> now.advance().toNanos() / 1e9);
    node.add(
        "kairos.delay.waiting",
        "Messages in the store that this node does not hold; an estimate",
        now -> Math.max(0, store.stored() - now.held()));
    meters.gauge(
        "kairos.delay.open",
        "1 while the delay queue reaches the broker",
        () -> open.getAsBoolean() ? 1 : 0);
    meters.gauge(
        "kairos.delay.stored",
        "Messages waiting and ready in the store, of all nodes; an estimate",
        store::stored);
    meters.gauge(
        "kairos.delay.amendments.pending",
        "Cancels and reschedules that wait for their decision",
        store::pendingAmendments);
    meters.gaugeOfSeconds(
        "kairos.delay.oldest.overdue",
        "How long the oldest message is overdue that nobody has claimed, or that this node holds unsent",
        () -> overdueMicros(store, status.get(), clock) / MeterFactory.MICROS_PER_SECOND);
  }

  private void add(String name, String about, Function<Status, Number> value) {
    meters.gauge(name, about, () -> value.apply(status.get()));
  }

  /** How long the oldest message is overdue; 0 when none is. */
  static long overdueMicros(StoreView store, Status status, InstantSource clock) {
    long oldest = Math.min(store.oldestOverdueMicros(), status.oldestDueMicros());
    long now = EpochMicros.of(clock.instant());
    return oldest >= now ? 0 : now - oldest;
  }
}
