package io.kairos.server.architecture.specimen.engine;

import java.nio.file.Files;
import java.nio.file.Path;

/** Must break: no input or output in domain and engine. */
public final class EngineThatOpensFiles {
  boolean isThere(String name) {
    return Files.exists(Path.of(name));
  }
}
