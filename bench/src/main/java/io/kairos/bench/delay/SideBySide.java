package io.kairos.bench.delay;

import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The same load on nodes with different settings, one column each. */
final class SideBySide {
  private SideBySide() {}

  /** One title for each result. */
  static String table(List<String> titles, List<DelayResult> results) {
    Table table = new Table().row(cells("", titles));
    row(table, "fired/s", results, r -> Shown.count(r.firedPerSecond()));
    row(table, "p50", results, r -> Shown.decimal(r.lateness().p50()));
    row(table, "p90", results, r -> Shown.decimal(r.lateness().p90()));
    row(table, "p99", results, r -> Shown.decimal(r.lateness().p99()));
    row(table, "p99.9", results, r -> Shown.decimal(r.lateness().p999()));
    row(table, "max", results, r -> Shown.millis(r.lateness().max()));
    row(table, "earliest by", results, r -> Shown.millis(r.count().mostEarly().toNanos() / 1e6));
    row(table, "early", results, r -> Shown.count(r.count().early()));
    row(table, "hiccups p99.9", results, r -> Shown.decimal(r.hiccup().p999()));
    row(table, "CPU µs", results, r -> Shown.decimal(r.cost().systemMicros()));
    row(table, "verdict", results, DelayReport::verdict);
    return table.toString();
  }

  private static void row(
      Table table, String name, List<DelayResult> results, Function<DelayResult, String> shown) {
    table.row(cells(name, results.stream().map(shown).toList()));
  }

  private static Object[] cells(String name, List<String> values) {
    List<Object> cells = new ArrayList<>(List.of(name));
    cells.addAll(values);
    return cells.toArray(new Object[0]);
  }
}
