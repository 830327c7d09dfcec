package io.kairos.engine.delay;

import io.kairos.engine.delay.memory.MessageHolding;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.DelayEvents;
import io.kairos.engine.delay.setup.ServedRoutes;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.node.NodeIncarnation;
import io.kairos.engine.node.NodeMembership;
import io.kairos.engine.time.MonotonicClock;
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
    DelayEvents events) {
  /** Runs a round if this node may act; otherwise the step runs again after {@code otherwise}. */
  NextRound whileActing(Duration otherwise, Function<NodeIncarnation, NextRound> round) {
    Optional<NodeIncarnation> acting = membership.acting();
    return acting.isPresent() ? round.apply(acting.get()) : NextRound.after(otherwise);
  }
}
