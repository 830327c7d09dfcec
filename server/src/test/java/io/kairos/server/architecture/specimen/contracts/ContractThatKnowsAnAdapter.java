package io.kairos.server.architecture.specimen.contracts;

import io.kairos.server.architecture.specimen.postgres.PostgresThatKnowsKafka;

/** Must break: the contracts know the models and no adapter. */
public final class ContractThatKnowsAnAdapter {
  private final Class<?> known = PostgresThatKnowsKafka.class;

  public Class<?> known() {
    return known;
  }
}
