package io.kairos.domain.delay;

import io.kairos.domain.node.NodeId;

/**
 * Who holds a ready message and since when: the published pair ({@code readied_by}, {@code
 * readied_at}). A node's stamps strictly rise, so the pair names one claim for ever; every reset,
 * amendment and delete compares it, and a write with an old pair changes nothing.
 *
 * @param readiedAtMicros the node's clock at the claim, microseconds since the epoch, raised where
 *     needed to stay strictly rising
 */
public record Fence(NodeId readiedBy, long readiedAtMicros) {}
