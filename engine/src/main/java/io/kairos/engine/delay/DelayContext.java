package io.kairos.engine.delay;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.memory.MessageHolding;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.DelayEvents;
import io.kairos.engine.delay.setup.ServedRoutes;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.node.NodeIncarnation;
import io.kairos.engine.node.NodeMembership;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.engine.trace.MessageSpans;
import io.kairos.engine.trace.SpanPeriod;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/** The settings, memory, clocks and listener that all steps of a delay node share. */
record DelayContext(
    DelayConfig config,
    ServedRoutes routes,
    NodeMembership membership,
    MessageHolding holding,
    InstantSource clock,
    MonotonicClock monotonic,
    DelayEvents events,
    MessageSpans spans) {
  /** Tells of a message that the broker has acknowledged this moment. */
  void traceFired(DelayedMessage message, long sentNanos) {
    if (spans.isOn()) {
      long tookNanos = monotonic.nanos() - sentNanos;
      long untilMicros = EpochMicros.of(clock.instant());
      spans.fired(message, new SpanPeriod(untilMicros - tookNanos / 1_000, untilMicros));
    }
  }

  /** Runs a round if this node may act; otherwise the step runs again after {@code otherwise}. */
  NextRound whileActing(Duration otherwise, Function<NodeIncarnation, NextRound> round) {
    Optional<NodeIncarnation> acting = membership.acting();
    return acting.isPresent() ? round.apply(acting.get()) : NextRound.after(otherwise);
  }
}
