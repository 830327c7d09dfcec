package io.kairos.server.architecture.specimen.hashgraph;

import io.kairos.server.architecture.specimen.postgres.PostgresThatKnowsKafka;

/** Must break: adapters do not see each other. */
public final class HashgraphThatKnowsPostgres {
  private final Class<?> known = PostgresThatKnowsKafka.class;

  public Class<?> known() {
    return known;
  }
}
