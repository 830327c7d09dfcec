package io.kairos.engine.delay;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.loop.Wakeups;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Everything that a delay node needs from outside.
 *
 * @param newNodeId random ids, one per life (CH-20)
 * @param pollJitter a random wait between zero and the configured jitter (CH-30)
 */
public record Ports(
    MessageStore messages,
    AmendmentStore amendments,
    LivenessStore liveness,
    Publisher publisher,
    InstantSource clock,
    Monotonic monotonic,
    Wakeups wakeups,
    Supplier<NodeId> newNodeId,
    Supplier<Duration> pollJitter,
    DelayEvents events) {}
