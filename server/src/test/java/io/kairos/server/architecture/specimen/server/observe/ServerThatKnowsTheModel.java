package io.kairos.server.architecture.specimen.server.observe;

import io.kairos.server.architecture.specimen.model.ModelThatKnowsAnAdapter;

/** Must break: the server does not know the models. */
public final class ServerThatKnowsTheModel {
  private final Class<?> known = ModelThatKnowsAnAdapter.class;

  public Class<?> known() {
    return known;
  }
}
