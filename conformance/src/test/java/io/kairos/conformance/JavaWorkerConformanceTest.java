package io.kairos.conformance;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The worker of the Java client. */
@Tag("long") // a JVM for each case
class JavaWorkerConformanceTest extends WorkerConformance {
  @Override
  Subject subject() {
    return new Subject("Java", Subject.Protocol.GRPC, java(JavaWorker.class.getName()), Map.of());
  }

  /** A command line that runs a main class of the class path of this test. */
  static List<String> java(String main) {
    return List.of(
        Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        requireNonNull(System.getProperty("java.class.path")),
        main);
  }
}
