package io.kairos.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image must keep of the client: its statements for transactions. */
final class KairosRuntimeHints implements RuntimeHintsRegistrar {
  /** For Spring. */
  KairosRuntimeHints() {}

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    hints.resources().registerPattern("io/kairos/client/*.sql");
  }
}
