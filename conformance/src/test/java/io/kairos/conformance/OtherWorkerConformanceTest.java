package io.kairos.conformance;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A worker from outside of this repository: {@code docs/conformance.md} says how. */
@EnabledIfSystemProperty(named = "conformance.worker", matches = ".+")
class OtherWorkerConformanceTest extends WorkerConformance {
  @Override
  Subject subject() {
    String protocol = requireNonNull(System.getProperty("conformance.protocol", "rest"));
    return new Subject(
        "other",
        Subject.Protocol.valueOf(protocol.toUpperCase(Locale.ROOT)),
        List.of(
            "/bin/sh", "-c", "exec " + requireNonNull(System.getProperty("conformance.worker"))),
        Map.of());
  }
}
