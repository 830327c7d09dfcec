package io.kairos.bench.replica;

import io.kairos.bench.replica.ReplicaSettings.Kind;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.FigureColumns;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.bench.rig.TalkingProcess.Line;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.bench.trial.TrialReport;
import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.Cluster.Faults;
import io.kairos.simulator.replica.RoundTicks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the ticks in the order for each round that began, while nothing disturbs the replicas, and
 * the rounds for each period that passed.
 */
final class TicksRun {
  private static final List<Integer> ON_RATIS = List.of(3, 5);

  /** While a cluster starts, its rounds are not those of a steady one. */
  private static final int ROUNDS_PASSED_OVER = 5;

  /** After the last counted one, for ticks of it that come late. */
  private static final int ROUNDS_AFTER = 2;

  /** A round begins a period after the last was executed, which takes a while. */
  private static final double LEAST_PACE = 0.9;

  private static final Duration GRACE = Duration.ofMinutes(1);

  private final WorkFolder folder;
  private final ProgressLog progress;
  private final Duration tick;
  private final int periods;

  TicksRun(WorkFolder folder, ProgressLog progress, Duration tick, int periods) {
    this.folder = folder;
    this.progress = progress;
    this.tick = tick;
    this.periods = periods;
  }

  /**
   * A cluster's rounds.
   *
   * @param periodMillis from one to the next
   * @param room how many periods the time had in which they began
   */
  record ClusterRounds(Cluster cluster, RoundTicks rounds, double periodMillis, double room) {
    private double pace() {
      return rounds.rounds() / room;
    }

    /** What is not as it should be. */
    RunVerdict judge(RunVerdict verdict) {
      int due = cluster.mayFail() + 1;
      return verdict
          .expect(
              rounds.fewest() == due && rounds.most() == due,
              "%d replicas: %d to %d ticks a round"
                  .formatted(cluster.size(), rounds.fewest(), rounds.most()))
          .expect(
              pace() >= LEAST_PACE,
              "%d replicas: %d rounds in %s periods"
                  .formatted(cluster.size(), rounds.rounds(), ShownNumbers.decimal(room)));
    }

    private FigureColumns columns() {
      return new FigureColumns()
          .add("replicas", "replicas", Unit.COUNT, cluster.size())
          .add("periodMillis", "period", Unit.MILLIS, periodMillis)
          .add("rounds", "rounds", Unit.COUNT, rounds.rounds())
          .add("roundsAPeriod", "a period", Unit.RATIO, pace())
          .add("ticks", "ticks", Unit.COUNT, rounds.ticks())
          .add("fewest", "fewest a round", Unit.COUNT, rounds.fewest())
          .add("most", "most a round", Unit.COUNT, rounds.most())
          .add("due", "F+1", Unit.COUNT, cluster.mayFail() + 1);
    }
  }

  TrialReport run() {
    RunVerdict verdict = new RunVerdict();
    List<ClusterRounds> clusters = new ArrayList<>();
    for (int size : ON_RATIS) {
      progress.say("counting ticks of %d replicas".formatted(size));
      ClusterRounds rounds = count(size);
      rounds.judge(verdict);
      clusters.add(rounds);
    }
    FigureList figures =
        new FigureList()
            .row("ticks in the order a round")
            .note("steady state (F+1), and rounds a period, at least " + LEAST_PACE)
            .add("tickMillis", "tick", Unit.MILLIS, tick.toMillis())
            .lines("clusters", clusters.stream().map(ClusterRounds::columns).toList());
    return new TrialReport(figures, verdict);
  }

  private ClusterRounds count(int size) {
    TreeMap<Long, Integer> ticks = new TreeMap<>();
    TreeMap<Long, Long> began = new TreeMap<>();
    try (ReplicaCluster cluster =
        new ReplicaCluster(folder, "ticks-" + size, size, Kind.CRON, tick)) {
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
      return new ClusterRounds(
          new Cluster(size, Faults.CRASH),
          RoundTicks.of(counted),
          nanos / 1e6 / periods,
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
}
