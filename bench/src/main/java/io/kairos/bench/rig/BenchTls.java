package io.kairos.bench.rig;

import java.nio.file.Path;
import java.util.Map;

/**
 * A folder with {@code ca.crt}, and {@code tls.crt} and {@code tls.key} for {@code localhost}, as
 * docs/operations.md makes them.
 */
public record BenchTls(Path folder) {
  NodeAccess access() {
    return NodeAccess.trusting(folder.resolve("ca.crt").toAbsolutePath());
  }

  Map<String, String> settings() {
    return Map.of(
        "http.tls.certificate", folder.resolve("tls.crt").toAbsolutePath().toString(),
        "http.tls.key", folder.resolve("tls.key").toAbsolutePath().toString());
  }
}
