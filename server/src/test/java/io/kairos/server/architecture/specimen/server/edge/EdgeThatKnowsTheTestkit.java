package io.kairos.server.architecture.specimen.server.edge;

import io.kairos.server.architecture.specimen.testkit.TestkitThatKnowsAnAdapter;

/** Must break: the server does not know the testkit. */
public final class EdgeThatKnowsTheTestkit {
  private final Class<?> known = TestkitThatKnowsAnAdapter.class;

  public Class<?> known() {
    return known;
  }
}
