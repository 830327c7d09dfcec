package io.kairos.engine.pool.port;

import io.kairos.domain.pool.EndpointRouting;

/** A pool may not have a routing yet, because nodes run that do not know it. Nothing is changed. */
public final class OlderNodesRun extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OlderNodesRun(EndpointRouting routing, int nodes) {
    super(
        "pool.routing: %s may be set when all nodes know it, and nodes run that may not: %d; stop them, or replace them by this version first"
            .formatted(routing, nodes));
  }
}
