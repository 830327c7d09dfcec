package io.kairos.server.architecture.specimen.edge;

import io.kairos.server.architecture.specimen.push.PushThatKnowsTheEdge;

/** Must break: the edge knows the wire and the engine. */
public final class EdgeThatKnowsPush {
  private final Class<?> known = PushThatKnowsTheEdge.class;

  public Class<?> known() {
    return known;
  }
}
