package io.kairos.server.architecture.specimen.consensus;

import io.kairos.server.architecture.specimen.postgres.PostgresThatKnowsKafka;

/** Must break: adapters do not see each other. */
public final class ConsensusThatKnowsPostgres {
  private final Class<?> known = PostgresThatKnowsKafka.class;

  public Class<?> known() {
    return known;
  }
}
