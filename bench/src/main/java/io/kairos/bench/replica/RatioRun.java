package io.kairos.bench.replica;

import io.kairos.bench.replica.ReplicaSettings.Kind;
import io.kairos.bench.replica.ReplicaSettings.Log;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.FigureColumns;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.report.ValueSpread;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.bench.trial.TrialReport;
import io.kairos.bench.trial.TrialRunner;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares ordered requests per second of two clusters, such as of a cron and of a bare counter.
 * Both clusters run all the time, in their own processes and directories, and are loaded in turns:
 * a JVM compiles for minutes before its pace is steady, and a shared disk changes within minutes,
 * so that distant measurements would differ for these reasons. The cluster without load only sends
 * heartbeats, or ticks.
 */
final class RatioRun {
  /** Entries of the cron's table, each due once a minute. */
  private static final int ENTRIES = 1_000;

  private static final Duration WARM_UP_SLICE = Duration.ofSeconds(10);
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final ProgressLog progress;
  private final Settings settings;
  private final Sides sides;

  /**
   * The load of a run.
   *
   * @param clients of each replica, each with one request under way
   * @param warmup how long each cluster is loaded before the first pair, lead-ins apart
   * @param measured length of each measured part, two of a pair
   */
  record Settings(int clients, int pairs, Duration tick, Duration warmup, Duration measured) {}

  /** One cluster of the comparison. */
  record Side(String name, int replicas, Kind kind, Log log) {}

  /**
   * What is compared.
   *
   * @param base what the other is divided by
   * @param clients of each replica, unless said otherwise: so many that neither side has time to
   *     spare
   */
  record Sides(Side base, Side other, int clients, double least, String note) {
    static final Sides CRON =
        new Sides(
            new Side("bare", 3, Kind.BARE, Log.RATIS),
            new Side("cron", 3, Kind.CRON, Log.RATIS),
            64,
            0.9,
            "cron attached / bare counter, at least 0.9, aim 0.95");
    static final Sides LIARS =
        new Sides(
            new Side("ratis", 3, Kind.BARE, Log.RATIS),
            new Side("hashgraph", 4, Kind.BARE, Log.HASHGRAPH),
            512,
            0.5,
            "four replicas of the hashgraph / three of Ratis, at least 0.5, aim 1");
  }

  private record Pair(Sides sides, TrialReport base, TrialReport other) {
    double ratio() {
      return number(other, "perSecond") / number(base, "perSecond");
    }

    FigureColumns columns() {
      FigureColumns columns = new FigureColumns();
      columns(columns, sides.base.name(), base);
      columns(columns, sides.other.name(), other);
      return columns.add("ratio", "ratio", Unit.RATIO, ratio());
    }

    private static void columns(FigureColumns columns, String name, TrialReport of) {
      columns
          .add(name + "PerSecond", name, Unit.PER_SECOND, number(of, "perSecond"))
          .add(name + "Micros", "its CPU", Unit.MICROS, number(of, "cpuMicros"))
          .add(name + "CompilerMicros", "compiler", Unit.MICROS, number(of, "compilerMicros"));
    }
  }

  private static double number(TrialReport report, String key) {
    return report.figures().number(key);
  }

  private RatioRun(ProgressLog progress, Settings settings, Sides sides) {
    this.progress = progress;
    this.settings = settings;
    this.sides = sides;
  }

  static TrialReport run(WorkFolder folder, ProgressLog progress, Settings settings, Sides sides)
      throws SQLException, InterruptedException {
    try (BenchReplicas base = cluster(folder, sides.base, settings);
        BenchReplicas other = cluster(folder, sides.other, settings)) {
      return new RatioRun(progress, settings, sides).run(base, other);
    }
  }

  private static BenchReplicas cluster(WorkFolder folder, Side side, Settings settings) {
    BenchReplicas cluster =
        new BenchReplicas(
            folder, side.name(), side.replicas(), side.kind(), side.log(), settings.tick());
    if (side.kind() == Kind.CRON) {
      cluster.put(ENTRIES, PERIOD);
    }
    return cluster;
  }

  private TrialReport run(BenchReplicas base, BenchReplicas other)
      throws SQLException, InterruptedException {
    progress.say("warming up, %s each".formatted(settings.warmup()));
    boolean turn = false; // so that neither rests for long before it is measured
    for (Duration done = Duration.ZERO;
        done.compareTo(settings.warmup()) < 0;
        done = done.plus(WARM_UP_SLICE)) {
      pair(base, other, turn, WARM_UP_SLICE);
      turn = !turn;
    }
    RunVerdict verdict = new RunVerdict();
    List<Pair> pairs = new ArrayList<>();
    for (int number = 1; number <= settings.pairs(); number++) {
      Pair pair = pair(base, other, number % 2 == 0, settings.measured());
      pairs.add(pair);
      progress.say("pair %d: ratio %.3f".formatted(number, pair.ratio()));
      verdict
          .demand(!pair.base.verdict().isVoid(), pair.base.verdict().problems())
          .demand(!pair.other.verdict().isVoid(), pair.other.verdict().problems());
    }
    ValueSpread spread = ValueSpread.of(pairs.stream().map(Pair::ratio).toList());
    verdict.expect(spread.median() >= sides.least, "the median is less than " + sides.least);
    FigureList figures =
        new FigureList()
            .row("ordered requests")
            .note(sides.note)
            .count("clients", "clients of each replica", settings.clients())
            .count("entries", "entries of a cron", ENTRIES)
            .lines("pairs", pairs.stream().map(Pair::columns).toList());
    spread.report("ratio", "ratio", figures);
    return new TrialReport(figures, verdict);
  }

  private Pair pair(BenchReplicas base, BenchReplicas other, boolean otherFirst, Duration length)
      throws SQLException, InterruptedException {
    if (otherFirst) {
      TrialReport first = slice(other, length);
      return new Pair(sides, slice(base, length), first);
    }
    TrialReport first = slice(base, length);
    return new Pair(sides, first, slice(other, length));
  }

  private TrialReport slice(BenchReplicas cluster, Duration length)
      throws SQLException, InterruptedException {
    return new TrialRunner(new RequestTrial(cluster, settings.clients(), length), progress).run();
  }
}
