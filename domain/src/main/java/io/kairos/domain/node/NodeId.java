package io.kairos.domain.node;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * Identity of one life of a node (CH-20): random, new at each start, and new again after the node's
 * liveness lapsed. Two lives of one process are two nodes to everybody else.
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
