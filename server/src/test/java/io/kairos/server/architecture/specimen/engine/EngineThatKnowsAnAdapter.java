package io.kairos.server.architecture.specimen.engine;

import io.kairos.server.architecture.specimen.postgres.PostgresThatKnowsKafka;

/** Must break: the engine knows the domain. */
public final class EngineThatKnowsAnAdapter {
  private final Class<?> known = PostgresThatKnowsKafka.class;

  public Class<?> known() {
    return known;
  }
}
