package io.kairos.server.architecture.specimen.testkit;

import io.kairos.server.architecture.specimen.postgres.PostgresThatKnowsKafka;

/** Must break: the testkit knows the engine and no adapter. */
public final class TestkitThatKnowsAnAdapter {
  private final Class<?> known = PostgresThatKnowsKafka.class;

  public Class<?> known() {
    return known;
  }
}
