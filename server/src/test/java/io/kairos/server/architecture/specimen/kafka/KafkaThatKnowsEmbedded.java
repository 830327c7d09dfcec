package io.kairos.server.architecture.specimen.kafka;

import io.kairos.server.architecture.specimen.embedded.EmbeddedThatKnowsTheDomain;

/** Must break: adapters do not see each other. */
public final class KafkaThatKnowsEmbedded {
  private final Class<?> known = EmbeddedThatKnowsTheDomain.class;

  public Class<?> known() {
    return known;
  }
}
