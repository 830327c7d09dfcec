package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.WakeupFactory;
import io.kairos.engine.time.MonotonicClock;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Ports of a node's life.
 *
 * @param newNodeId random ids, one for each life
 */
public record LivenessPorts(
    LivenessStore store,
    InstantSource clock,
    MonotonicClock monotonic,
    WakeupFactory wakeups,
    Supplier<NodeId> newNodeId,
    LivenessEvents events) {}
