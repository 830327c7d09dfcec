package io.kairos.server.architecture.specimen.client;

import io.kairos.server.architecture.specimen.engine.EngineThatSleeps;

/** Must break: the client knows the wire and nothing of the house. */
public final class ClientThatKnowsTheEngine {
  private final Class<?> known = EngineThatSleeps.class;

  public Class<?> known() {
    return known;
  }
}
