package io.kairos.server.architecture.specimen.node;

import io.kairos.server.architecture.specimen.postgres.PostgresThatKnowsKafka;

/** Must break: the assembly of nodes takes stores as ports. */
public final class NodeThatKnowsPostgres {
  private final Class<?> known = PostgresThatKnowsKafka.class;

  public Class<?> known() {
    return known;
  }
}
