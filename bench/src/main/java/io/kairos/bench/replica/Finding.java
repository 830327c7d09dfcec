package io.kairos.bench.replica;

import io.kairos.bench.report.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a scene showed.
 *
 * @param failures bounds that were not held; empty if all were
 */
record Finding(String scene, Table table, Map<String, Object> data, List<String> failures) {
  boolean passed() {
    return failures.isEmpty();
  }

  /** Table and verdict. */
  @Override
  public String toString() {
    return "%s%n%s%n  %s%n"
        .formatted(scene, table, passed() ? "PASS" : "FAIL: " + String.join("; ", failures));
  }

  Map<String, Object> asData() {
    Map<String, Object> all = new LinkedHashMap<>(data);
    all.put("passed", passed());
    all.put("failures", failures);
    return all;
  }
}
