package io.kairos.bench.replica;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.replica.ReplicaSettings.Kind;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.TalkingProcess.Line;
import io.kairos.bench.rig.Workplace;
import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.Cluster.Faults;
import io.kairos.testkit.replica.QuietCluster;
import io.kairos.testkit.replica.RoundTicks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Counts the ticks in the order for each round that began, while nothing disturbs the replicas. */
final class TicksRun {
  private static final List<Integer> ON_RATIS = List.of(3, 5);
  private static final List<Cluster> SIMULATED =
      List.of(
          new Cluster(3, Faults.CRASH),
          new Cluster(5, Faults.CRASH),
          new Cluster(7, Faults.CRASH),
          new Cluster(4, Faults.BYZANTINE),
          new Cluster(7, Faults.BYZANTINE),
          new Cluster(10, Faults.BYZANTINE));

  /** While a cluster starts, its rounds are not those of a steady one. */
  private static final int ROUNDS_PASSED_OVER = 5;

  /** After the last counted one, for ticks of it that come late. */
  private static final int ROUNDS_AFTER = 2;

  private static final Duration SIMULATED_FOR = Duration.ofMinutes(30);
  private static final Duration GRACE = Duration.ofMinutes(1);

  private final Workplace workplace;
  private final Progress progress;
  private final Duration tick;
  private final int periods;

  TicksRun(Workplace workplace, Progress progress, Duration tick, int periods) {
    this.workplace = workplace;
    this.progress = progress;
    this.tick = tick;
    this.periods = periods;
  }

  /**
   * A cluster's rounds.
   *
   * @param where it ran, in words
   * @param period from one to the next, in words
   */
  private record Row(String where, Cluster cluster, RoundTicks rounds, String period) {
    boolean isAsItShouldBe() {
      return rounds.fewest() == cluster.mayFail() + 1 && rounds.most() == cluster.mayFail() + 1;
    }
  }

  Finding run() {
    List<Row> rows = new ArrayList<>();
    for (int size : ON_RATIS) {
      progress.say("counting ticks of %d replicas on Ratis".formatted(size));
      rows.add(onRatis(size));
    }
    for (Cluster cluster : SIMULATED) {
      RoundTicks rounds = QuietCluster.ticks(cluster, SIMULATED_FOR);
      rows.add(new Row("simulation, two tables", cluster, rounds, "virtual"));
    }
    return finding(rows);
  }

  private Row onRatis(int size) {
    TreeMap<Long, Integer> ticks = new TreeMap<>();
    TreeMap<Long, Long> began = new TreeMap<>();
    try (ReplicaCluster cluster =
        new ReplicaCluster(workplace, "ticks-" + size, size, Kind.CRON, tick)) {
      cluster.leader();
      ReplicaProcess seen = cluster.replica(0);
      seen.watch();
      long last = Long.MAX_VALUE;
      long until =
          System.nanoTime()
              + GRACE.toNanos()
              + tick.multipliedBy(2L * (periods + ROUNDS_PASSED_OVER)).toNanos();
      while (began.isEmpty() || began.lastKey() < last) {
        Line line =
            seen.await(
                text -> text.startsWith("judged"), Duration.ofNanos(until - System.nanoTime()));
        String[] words = line.text().split(" ", -1);
        long round = Long.parseLong(words[1]);
        ticks.merge(round, 1, Integer::sum);
        if (words[2].equals("BEGINS")) {
          began.put(round, line.atNanos());
        }
        if (last == Long.MAX_VALUE) {
          last = round + ROUNDS_PASSED_OVER + periods + ROUNDS_AFTER;
        }
      }
      long first = last - periods - ROUNDS_AFTER;
      List<Integer> counted = List.copyOf(ticks.subMap(first, first + periods).values());
      double millis =
          (began.getOrDefault(first + periods, 0L) - began.getOrDefault(first, 0L)) / 1e6;
      return new Row(
          "Ratis",
          new Cluster(size, Faults.CRASH),
          RoundTicks.of(counted),
          Shown.millis(millis / periods));
    }
  }

  private Finding finding(List<Row> rows) {
    Table table =
        new Table()
            .row(
                "where",
                "replicas",
                "period",
                "rounds",
                "ticks",
                "a round",
                "fewest",
                "most",
                "F+1");
    List<Map<String, Object>> all = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (Row row : rows) {
      int replicas = row.cluster().size();
      int mayFail = row.cluster().mayFail();
      String faults = row.cluster().faults().name().toLowerCase(Locale.ROOT);
      RoundTicks rounds = row.rounds();
      table.row(
          row.where(),
          replicas + " " + faults,
          row.period(),
          Shown.count(rounds.rounds()),
          Shown.count(rounds.ticks()),
          String.format(Locale.ROOT, "%.3f", rounds.mean()),
          rounds.fewest(),
          rounds.most(),
          mayFail + 1);
      Map<String, Object> data = new LinkedHashMap<>();
      data.put("where", row.where());
      data.put("replicas", replicas);
      data.put("faults", faults);
      data.put("period", row.period());
      data.put("rounds", rounds.rounds());
      data.put("ticks", rounds.ticks());
      data.put("fewest", rounds.fewest());
      data.put("most", rounds.most());
      all.add(data);
      if (!row.isAsItShouldBe()) {
        failures.add(
            "%s, %d %s: %d to %d ticks a round"
                .formatted(row.where(), replicas, faults, rounds.fewest(), rounds.most()));
      }
    }
    return new Finding(
        "ticks in the order a period, steady state (F+1)",
        table,
        Map.of("tickMillisOnRatis", tick.toMillis(), "clusters", all),
        failures);
  }
}
