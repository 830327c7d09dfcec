package io.kairos.bench.task;

import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The same load without a change, with it, and, when it can be undone, without it again: machine
 * and JVMs do not stay the same, and a mean of before and after cancels what drifts evenly.
 */
record Comparison(String change, List<TaskResult> without, TaskResult with) {
  /** How many tasks a second are done with the change, in those without it. */
  double ratio() {
    return with.endedPerSecond() / mean(without.stream().map(TaskResult::endedPerSecond).toList());
  }

  /** By how much the change raises the 99th percentile of start lateness. */
  double addedP99Millis() {
    return with.lateness().p99() - mean(without.stream().map(r -> r.lateness().p99()).toList());
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }

  int exitCode() {
    return without.stream()
        .map(TaskResult::exitCode)
        .reduce(with.exitCode(), (one, other) -> Math.max(one, other));
  }

  Table table() {
    Table table =
        new Table()
            .row("change", change)
            .row("", "tasks/s", "p50 ms", "p99 ms", "p99.9 ms", "bystanders performed");
    row(table, "without", without.getFirst());
    row(table, "with", with);
    without.stream().skip(1).forEach(again -> row(table, "without again", again));
    return table
        .row("ratio", Shown.decimal(ratio()) + " of the tasks/s without")
        .row("added to p99", Shown.millis(addedP99Millis()))
        .row("verdict", exitCode() == 0 ? "clean" : "NOT CLEAN, see above");
  }

  private static void row(Table table, String name, TaskResult result) {
    table.row(
        name,
        Shown.count(result.endedPerSecond()),
        Shown.decimal(result.lateness().p50()),
        Shown.decimal(result.lateness().p99()),
        Shown.decimal(result.lateness().p999()),
        Shown.count(result.bystanders()));
  }

  Map<String, Object> data() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("change", change);
    data.put("without", without.stream().map(TaskResult::data).toList());
    data.put("with", with.data());
    data.put("ratio", ratio());
    data.put("addedP99Millis", addedP99Millis());
    return data;
  }
}
