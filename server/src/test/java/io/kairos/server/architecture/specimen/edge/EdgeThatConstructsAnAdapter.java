package io.kairos.server.architecture.specimen.edge;

import io.kairos.server.architecture.specimen.postgres.PostgresThatKnowsKafka;

/** Must break: only wiring constructs adapters. */
public final class EdgeThatConstructsAnAdapter {
  Object store() {
    return new PostgresThatKnowsKafka();
  }
}
