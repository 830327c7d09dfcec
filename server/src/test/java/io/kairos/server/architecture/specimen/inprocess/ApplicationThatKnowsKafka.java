package io.kairos.server.architecture.specimen.inprocess;

import io.kairos.server.architecture.specimen.kafka.KafkaThatKnowsEmbedded;

/** Must break: applications have no broker. */
public final class ApplicationThatKnowsKafka {
  private final Class<?> known = KafkaThatKnowsEmbedded.class;

  public Class<?> known() {
    return known;
  }
}
