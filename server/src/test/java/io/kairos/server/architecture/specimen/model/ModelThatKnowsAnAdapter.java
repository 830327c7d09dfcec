package io.kairos.server.architecture.specimen.model;

import io.kairos.server.architecture.specimen.postgres.PostgresThatKnowsKafka;

/** Must break: the models knows the engine and no adapter. */
public final class ModelThatKnowsAnAdapter {
  private final Class<?> known = PostgresThatKnowsKafka.class;

  public Class<?> known() {
    return known;
  }
}
