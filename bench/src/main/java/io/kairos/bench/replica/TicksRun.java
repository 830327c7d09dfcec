package io.kairos.bench.replica;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.replica.ReplicaSettings.Kind;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.TalkingProcess.Line;
import io.kairos.bench.rig.Workplace;
import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.Cluster.Faults;
import io.kairos.simulator.replica.QuietCluster;
import io.kairos.simulator.replica.RoundTicks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the ticks in the order for each round that began, while nothing disturbs the replicas, and
 * the rounds for each period that passed.
 */
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

  /** Of the two tables that the simulator has. */
  private static final List<Duration> SIMULATED_TICKS =
      List.of(Duration.ofSeconds(1), Duration.ofSeconds(3));

  /** A round begins a period after the last was executed, which takes a while. */
  private static final double LEAST_PACE = 0.9;

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
   * @param room how many periods the time had in which they began
   */
  record Row(String where, Cluster cluster, RoundTicks rounds, String period, double room) {
    private double pace() {
      return rounds.rounds() / room;
    }

    /** What is not as it should be. */
    List<String> failures() {
      List<String> failures = new ArrayList<>();
      if (rounds.fewest() != cluster.mayFail() + 1 || rounds.most() != cluster.mayFail() + 1) {
        failures.add(
            "%s, %s: %d to %d ticks a round"
                .formatted(where, replicas(), rounds.fewest(), rounds.most()));
      }
      if (pace() < LEAST_PACE) {
        failures.add(
            "%s, %s: %d rounds in %s periods"
                .formatted(where, replicas(), rounds.rounds(), Shown.decimal(room)));
      }
      return failures;
    }

    private String replicas() {
      return cluster.size() + " " + faults();
    }

    private String faults() {
      return cluster.faults().name().toLowerCase(Locale.ROOT);
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
      rows.add(
          new Row(
              "simulation, two tables", cluster, rounds, "1 s and 3 s, virtual", simulatedRoom()));
    }
    return finding(rows);
  }

  private static double simulatedRoom() {
    return SIMULATED_TICKS.stream().mapToLong(SIMULATED_FOR::dividedBy).sum();
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
      long nanos = nanosAt(began, first + periods) - nanosAt(began, first);
      return new Row(
          "Ratis",
          new Cluster(size, Faults.CRASH),
          RoundTicks.of(counted),
          Shown.millis(nanos / 1e6 / periods),
          (double) nanos / tick.toNanos());
    }
  }

  private static long nanosAt(Map<Long, Long> began, long round) {
    Long at = began.get(round);
    if (at == null) {
      throw new IllegalStateException("nobody began round " + round);
    }
    return at;
  }

  private static String three(double number) {
    return String.format(Locale.ROOT, "%.3f", number);
  }

  private Finding finding(List<Row> rows) {
    Table table =
        new Table()
            .row(
                "where",
                "replicas",
                "period",
                "rounds",
                "a period",
                "ticks",
                "a round",
                "fewest",
                "most",
                "F+1");
    List<Map<String, Object>> all = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (Row row : rows) {
      RoundTicks rounds = row.rounds();
      table.row(
          row.where(),
          row.replicas(),
          row.period(),
          Shown.count(rounds.rounds()),
          three(row.pace()),
          Shown.count(rounds.ticks()),
          three(rounds.mean()),
          rounds.fewest(),
          rounds.most(),
          row.cluster().mayFail() + 1);
      Map<String, Object> data = new LinkedHashMap<>();
      data.put("where", row.where());
      data.put("replicas", row.cluster().size());
      data.put("faults", row.faults());
      data.put("period", row.period());
      data.put("rounds", rounds.rounds());
      data.put("periods", row.room());
      data.put("ticks", rounds.ticks());
      data.put("fewest", rounds.fewest());
      data.put("most", rounds.most());
      all.add(data);
      failures.addAll(row.failures());
    }
    return new Finding(
        "ticks in the order a round, steady state (F+1), and rounds a period (at least %s)"
            .formatted(LEAST_PACE),
        table,
        Map.of("tickMillisOnRatis", tick.toMillis(), "clusters", all),
        failures);
  }
}
