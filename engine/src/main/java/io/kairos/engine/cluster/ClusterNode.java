package io.kairos.engine.cluster;

import io.kairos.domain.node.NodeId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One node, as the store knows it.
 *
 * @param id of its present life
 * @param startedAt when it was enrolled; null when that is not known any more
 * @param seenAt when it last renewed its life
 * @param isDead true when others have declared it dead, and it has not said that it stops
 * @param state null for a node that has told no figures in the last hour
 * @param hiccup the largest pause of its process in its last period; null where it is not known
 */
public record ClusterNode(
    NodeId id,
    @Nullable Instant startedAt,
    Instant seenAt,
    boolean isDead,
    @Nullable NodeState state,
    @Nullable Duration hiccup) {
  /** The node's name; the beginning of its id while it has told none. */
  public String name() {
    NodeState told = state;
    return told == null ? id.toString().substring(0, 8) : told.name();
  }
}
