package io.kairos.engine.node;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.Wakeups;
import io.kairos.engine.time.Monotonic;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Everything that a node's life needs from outside.
 *
 * @param newNodeId random ids, one per life (CH-20)
 */
public record LivenessPorts(
    LivenessStore store,
    InstantSource clock,
    Monotonic monotonic,
    Wakeups wakeups,
    Supplier<NodeId> newNodeId,
    LivenessEvents events) {}
