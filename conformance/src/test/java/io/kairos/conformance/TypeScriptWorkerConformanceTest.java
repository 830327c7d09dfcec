package io.kairos.conformance;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The worker of the TypeScript client. */
class TypeScriptWorkerConformanceTest extends WorkerConformance {
  private static final Once<Path> PROGRAM =
      new Once<>(() -> NpmPackage.installed().program(Path.of("workers/worker.mjs")));

  @Override
  Subject subject() {
    return new Subject(
        "TypeScript", Subject.Protocol.REST, List.of("node", PROGRAM.get().toString()), Map.of());
  }
}
