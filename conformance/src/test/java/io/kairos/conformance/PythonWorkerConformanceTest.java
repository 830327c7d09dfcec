package io.kairos.conformance;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The worker of the Python client. */
class PythonWorkerConformanceTest extends WorkerConformance {
  @Override
  Subject subject() {
    String worker = Path.of("workers/worker.py").toAbsolutePath().toString();
    return new Subject(
        "Python",
        Subject.Protocol.REST,
        List.of(PythonPackage.installed().python().toString(), worker),
        Map.of("PYTHONDONTWRITEBYTECODE", "1"));
  }
}
