package io.kairos.bench.replica;

import io.kairos.bench.report.Table;
import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.Cluster.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.simulator.replica.QuietCluster;
import io.kairos.simulator.replica.QuietCluster.Away;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Has each of three replicas be away for an hour of the simulator's time, and holds what the
 * entries did meanwhile against their due times: those that agreed time has come to, and those that
 * the hour itself has, so that agreed time which stands still does not excuse them.
 */
final class AwayRun {
  private static final Cluster CLUSTER = new Cluster(3, Faults.CRASH);
  private static final Duration LENGTH = Duration.ofHours(1);

  /** Of agreed time, at most: two periods of the table's ticks, which come every second. */
  private static final Duration LAG = Duration.ofSeconds(2);

  private static final Pace ANCHORED = Pace.of("every 7 s", Duration.ofSeconds(7), Duration.ZERO);
  private static final Pace MINUTELY = Pace.of("each minute", Duration.ofMinutes(1), Duration.ZERO);
  private static final Pace DELAYED = Pace.of("5 s after the last", Duration.ofSeconds(5), LAG);

  private AwayRun() {}

  /** How often an entry fires in the length, by the true time. */
  private record Pace(String entry, long least, long most) {
    /**
     * Of an entry.
     *
     * @param lateness that may add up at each fire
     */
    static Pace of(String entry, Duration period, Duration lateness) {
      return new Pace(
          entry,
          LENGTH.minus(LAG).dividedBy(period.plus(lateness)),
          Math.ceilDiv(LENGTH.plus(LAG).toMillis(), period.toMillis()));
    }

    private Optional<String> failure(ReplicaId away, long fired) {
      return fired >= least && fired <= most
          ? Optional.empty()
          : Optional.of(
              "%s was away, and what is due %s fired %d times, not %s"
                  .formatted(away, entry, fired, this));
    }

    @Override
    public String toString() {
      return least + " to " + most;
    }
  }

  static Finding run() {
    Table table =
        new Table()
            .row(
                "away for an hour",
                ANCHORED.entry() + ": due",
                "fired",
                MINUTELY.entry() + ": due",
                "fired",
                DELAYED.entry() + ": fired",
                "equal when back")
            .row("by the hour itself", "", ANCHORED, "", MINUTELY, DELAYED, "yes");
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
      failures.addAll(failures(replica, away));
    }
    return new Finding(
        "one of three replicas away for a virtual hour: periodic actions fired (all)",
        table,
        Map.of("rows", rows),
        failures);
  }

  /** What is not as it should be. */
  static List<String> failures(ReplicaId replica, Away away) {
    List<String> failures = new ArrayList<>();
    if (away.anchored() != away.anchoredDue() || away.minutely() != away.minutelyDue()) {
      failures.add(replica + " was away and not all that was due has fired");
    }
    ANCHORED.failure(replica, away.anchored()).ifPresent(failures::add);
    MINUTELY.failure(replica, away.minutely()).ifPresent(failures::add);
    DELAYED.failure(replica, away.delayed()).ifPresent(failures::add);
    if (!away.isEqualAfter()) {
      failures.add(replica + " is back and not equal");
    }
    return failures;
  }
}
