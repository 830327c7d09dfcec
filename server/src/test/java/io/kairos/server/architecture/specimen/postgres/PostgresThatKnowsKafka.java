package io.kairos.server.architecture.specimen.postgres;

import io.kairos.server.architecture.specimen.kafka.KafkaThatKnowsEmbedded;

/** Must break: adapters do not see each other. */
public final class PostgresThatKnowsKafka {
  private final Class<?> known = KafkaThatKnowsEmbedded.class;

  public Class<?> known() {
    return known;
  }
}
