package io.kairos.server.architecture.specimen.push;

import io.kairos.server.architecture.specimen.edge.EdgeThatKnowsPush;

/** Must break: pushing knows the wire and the engine. */
public final class PushThatKnowsTheEdge {
  private final Class<?> known = EdgeThatKnowsPush.class;

  public Class<?> known() {
    return known;
  }
}
