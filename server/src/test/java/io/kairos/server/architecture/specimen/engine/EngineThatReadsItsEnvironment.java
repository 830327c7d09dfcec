package io.kairos.server.architecture.specimen.engine;

import org.jspecify.annotations.Nullable;

/** Must break in every method: settings come from outside. */
public final class EngineThatReadsItsEnvironment {
  @Nullable String variable() {
    return System.getenv("KAIROS_X");
  }

  @Nullable String property() {
    return System.getProperty("kairos.x");
  }

  int number() {
    return Integer.getInteger("kairos.x", 1);
  }
}
