package io.kairos.server.architecture.specimen.api;

import io.kairos.server.architecture.specimen.domain.DomainThatKnowsTheEngine;

/** Must break: the wire knows nobody. */
public final class ApiThatKnowsTheDomain {
  private final Class<?> known = DomainThatKnowsTheEngine.class;

  public Class<?> known() {
    return known;
  }
}
