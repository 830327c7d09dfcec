package io.kairos.domain.node;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * Identity of one life of a node: random, new at each start, and new again after the node's
 * liveness lapsed. Other nodes see two lives of one process as two nodes.
 */
public record NodeId(UUID value) {
  public NodeId {
    requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
