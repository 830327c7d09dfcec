package io.kairos.server.architecture.specimen.cli;

import io.kairos.server.architecture.specimen.engine.EngineThatSleeps;

/** Must break: the command line knows the client, and of the house the text of times alone. */
public final class CommandThatKnowsTheEngine {
  private final Class<?> known = EngineThatSleeps.class;

  public Class<?> known() {
    return known;
  }
}
