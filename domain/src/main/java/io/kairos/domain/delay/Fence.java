package io.kairos.domain.delay;

import io.kairos.domain.node.NodeId;

/**
 * The holder of a ready message and the time of its claim: the columns {@code readied_by} and
 * {@code readied_at}. A node's stamps strictly rise, so a fence names one claim for ever. Every
 * reset, amendment and delete compares it, and a write with an old fence changes nothing.
 *
 * @param readiedAtMicros the node's clock at the claim, microseconds since the epoch, raised where
 *     needed to stay strictly rising
 */
public record Fence(NodeId readiedBy, long readiedAtMicros) {}
