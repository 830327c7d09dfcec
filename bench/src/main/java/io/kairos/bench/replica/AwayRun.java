package io.kairos.bench.replica;

import io.kairos.bench.report.Table;
import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.Cluster.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.testkit.replica.QuietCluster;
import io.kairos.testkit.replica.QuietCluster.Away;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Has each of three replicas be away for an hour of the simulator's time, and holds what the
 * entries did meanwhile against their due times.
 */
final class AwayRun {
  private static final Cluster CLUSTER = new Cluster(3, Faults.CRASH);
  private static final Duration LENGTH = Duration.ofHours(1);

  private AwayRun() {}

  static Finding run() {
    Table table =
        new Table()
            .row(
                "away for an hour",
                "every 7 s: due",
                "fired",
                "each minute: due",
                "fired",
                "5 s after the last: fired",
                "equal when back");
    List<Map<String, Object>> rows = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (ReplicaId replica : CLUSTER.replicas()) {
      Away away = QuietCluster.away(CLUSTER, replica, LENGTH);
      table.row(
          replica,
          away.anchoredDue(),
          away.anchored(),
          away.minutelyDue(),
          away.minutely(),
          away.delayed(),
          away.isEqualAfter() ? "yes" : "NO");
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("replica", replica.number());
      row.put("anchoredDue", away.anchoredDue());
      row.put("anchoredFired", away.anchored());
      row.put("minutelyDue", away.minutelyDue());
      row.put("minutelyFired", away.minutely());
      row.put("delayedFired", away.delayed());
      row.put("equalAfter", away.isEqualAfter());
      rows.add(row);
      if (away.anchored() != away.anchoredDue() || away.minutely() != away.minutelyDue()) {
        failures.add(replica + " was away and not all that was due has fired");
      }
      if (!away.isEqualAfter()) {
        failures.add(replica + " is back and not equal");
      }
    }
    return new Finding(
        "one of three replicas away for a virtual hour: periodic actions fired (all)",
        table,
        Map.of("rows", rows),
        failures);
  }
}
