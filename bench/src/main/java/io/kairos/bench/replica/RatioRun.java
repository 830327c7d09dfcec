package io.kairos.bench.replica;

import io.kairos.bench.replica.ReplicaSettings.Kind;
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
import java.util.Locale;

/**
 * Compares ordered requests per second of a cron and of a bare counter, on three replicas each.
 * Both clusters run all the time, in their own processes and directories, and are loaded in turns:
 * a JVM compiles for minutes before its pace is steady, and a shared disk changes within minutes,
 * so that distant measurements would differ for these reasons. The cluster without load only sends
 * heartbeats, or ticks.
 */
final class RatioRun {
  private static final int REPLICAS = 3;

  /** Clients of each replica. */
  private static final int CLIENTS = 64;

  /** Entries of the cron's table, each due once a minute. */
  private static final int ENTRIES = 1_000;

  private static final Duration WARM_UP_SLICE = Duration.ofSeconds(10);
  private static final double LEAST = 0.9;
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final ProgressLog progress;
  private final Settings settings;

  /**
   * The load of a run.
   *
   * @param warmup how long each cluster is loaded before the first pair, lead-ins apart
   * @param measured length of each measured part, two of a pair
   */
  record Settings(int pairs, Duration tick, Duration warmup, Duration measured) {}

  private record Pair(TrialReport bare, TrialReport cron) {
    double ratio() {
      return number(cron, "perSecond") / number(bare, "perSecond");
    }

    FigureColumns columns() {
      return new FigureColumns()
          .add("barePerSecond", "bare", Unit.PER_SECOND, number(bare, "perSecond"))
          .add("cronPerSecond", "cron", Unit.PER_SECOND, number(cron, "perSecond"))
          .add("ratio", "ratio", Unit.RATIO, ratio())
          .add("bareMicros", "bare CPU", Unit.MICROS, number(bare, "cpuMicros"))
          .add("bareCompilerMicros", "its compiler", Unit.MICROS, number(bare, "compilerMicros"))
          .add("cronMicros", "cron CPU", Unit.MICROS, number(cron, "cpuMicros"))
          .add("cronCompilerMicros", "its compiler", Unit.MICROS, number(cron, "compilerMicros"));
    }
  }

  private static double number(TrialReport report, String key) {
    return report.figures().number(key);
  }

  private RatioRun(ProgressLog progress, Settings settings) {
    this.progress = progress;
    this.settings = settings;
  }

  static TrialReport run(WorkFolder folder, ProgressLog progress, Settings settings)
      throws SQLException, InterruptedException {
    try (BenchReplicas bare = cluster(folder, Kind.BARE, settings);
        BenchReplicas cron = cluster(folder, Kind.CRON, settings)) {
      cron.put(ENTRIES, PERIOD);
      return new RatioRun(progress, settings).run(bare, cron);
    }
  }

  private static BenchReplicas cluster(WorkFolder folder, Kind kind, Settings settings) {
    return new BenchReplicas(
        folder, kind.name().toLowerCase(Locale.ROOT), REPLICAS, kind, settings.tick());
  }

  private TrialReport run(BenchReplicas bare, BenchReplicas cron)
      throws SQLException, InterruptedException {
    progress.say("warming up, %s each".formatted(settings.warmup()));
    boolean turn = false; // so that neither rests for long before it is measured
    for (Duration done = Duration.ZERO;
        done.compareTo(settings.warmup()) < 0;
        done = done.plus(WARM_UP_SLICE)) {
      pair(bare, cron, turn, WARM_UP_SLICE);
      turn = !turn;
    }
    RunVerdict verdict = new RunVerdict();
    List<Pair> pairs = new ArrayList<>();
    for (int number = 1; number <= settings.pairs(); number++) {
      Pair pair = pair(bare, cron, number % 2 == 0, settings.measured());
      pairs.add(pair);
      progress.say("pair %d: ratio %.3f".formatted(number, pair.ratio()));
      verdict
          .demand(!pair.bare.verdict().isVoid(), pair.bare.verdict().problems())
          .demand(!pair.cron.verdict().isVoid(), pair.cron.verdict().problems());
    }
    ValueSpread spread = ValueSpread.of(pairs.stream().map(Pair::ratio).toList());
    verdict.expect(spread.median() >= LEAST, "the median is less than " + LEAST);
    FigureList figures =
        new FigureList()
            .row("ordered requests")
            .note("cron attached / bare counter, at least " + LEAST + ", aim 0.95")
            .count("clients", "clients of each replica", CLIENTS)
            .count("entries", "entries", ENTRIES)
            .lines("pairs", pairs.stream().map(Pair::columns).toList());
    spread.report("ratio", "ratio", figures);
    return new TrialReport(figures, verdict);
  }

  private Pair pair(BenchReplicas bare, BenchReplicas cron, boolean cronFirst, Duration length)
      throws SQLException, InterruptedException {
    if (cronFirst) {
      TrialReport first = slice(cron, length);
      return new Pair(slice(bare, length), first);
    }
    TrialReport first = slice(bare, length);
    return new Pair(first, slice(cron, length));
  }

  private TrialReport slice(BenchReplicas cluster, Duration length)
      throws SQLException, InterruptedException {
    return new TrialRunner(new RequestTrial(cluster, CLIENTS, length), progress).run();
  }
}
