package io.kairos.server.architecture.specimen.embedded;

import io.kairos.server.architecture.specimen.domain.DomainThatKnowsTheEngine;

/** Must break: the embedded engines know no module. */
public final class EmbeddedThatKnowsTheDomain {
  private final Class<?> known = DomainThatKnowsTheEngine.class;

  public Class<?> known() {
    return known;
  }
}
