package io.kairos.server.architecture.specimen.domain;

import io.kairos.server.architecture.specimen.engine.EngineThatSleeps;

/** Must break: the domain knows nobody. */
public final class DomainThatKnowsTheEngine {
  private final Class<?> known = EngineThatSleeps.class;

  public Class<?> known() {
    return known;
  }
}
