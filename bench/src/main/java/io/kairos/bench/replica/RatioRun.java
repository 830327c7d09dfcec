package io.kairos.bench.replica;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.replica.ReplicaProcess.Mark;
import io.kairos.bench.replica.ReplicaProcess.State;
import io.kairos.bench.replica.ReplicaSettings.Kind;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.Workplace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Ordered requests a second through three replicas, of a cron and of a bare counter. Both clusters
 * run all the time, each with processes and directories of its own, and are loaded in turn: a JVM
 * compiles for minutes before its pace is steady, and that of a shared disk changes within minutes,
 * which would be taken for a difference between sides that are far apart. A cluster that is not
 * loaded only beats, or ticks.
 */
final class RatioRun {
  private static final int REPLICAS = 3;
  private static final Duration WARM_UP_SLICE = Duration.ofSeconds(10);

  /** Until a cluster that has rested is at its pace: a bare one rests more, as nothing ticks. */
  private static final Duration LEAD_IN = Duration.ofSeconds(2);

  private final Workplace workplace;
  private final Progress progress;
  private final Settings settings;

  /**
   * What is run.
   *
   * @param clients of each replica
   * @param entries of the cron's table, due once a minute each
   * @param warmup how long each cluster is loaded before the first pair, lead-ins apart
   * @param measured length of each measured part, two of a pair
   */
  record Settings(
      int pairs, int clients, int entries, Duration tick, Duration warmup, Duration measured) {
    static final double LEAST = 0.9;
    static final double AIM = 0.95;
    static final Duration PERIOD = Duration.ofMinutes(1);
  }

  /**
   * One side of a pair.
   *
   * @param microsPerRequest processor time of all replicas
   * @param compilerShare of that processor time
   */
  private record Side(double perSecond, double microsPerRequest, double compilerShare) {}

  private record Pair(Side bare, Side cron) {
    double ratio() {
      return cron.perSecond() / bare.perSecond();
    }
  }

  RatioRun(Workplace workplace, Progress progress, Settings settings) {
    this.workplace = workplace;
    this.progress = progress;
    this.settings = settings;
  }

  Finding run() {
    try (Loaded bare = new Loaded(Kind.BARE);
        Loaded cron = new Loaded(Kind.CRON)) {
      warmUp(bare, cron);
      List<Pair> pairs = new ArrayList<>();
      for (int number = 1; number <= settings.pairs(); number++) {
        Pair pair = pair(number, bare, cron);
        pairs.add(pair);
        progress.say("pair %d: ratio %s".formatted(number, three(pair.ratio())));
      }
      long acknowledged = bare.check() + cron.check();
      return finding(pairs, acknowledged);
    }
  }

  /** In turn, so that neither rests for long before it is measured. */
  private void warmUp(Loaded bare, Loaded cron) {
    progress.say("warming up, %s each".formatted(settings.warmup()));
    List<Loaded> turns = List.of(bare, cron);
    for (Duration done = Duration.ZERO;
        done.compareTo(settings.warmup()) < 0;
        done = done.plus(WARM_UP_SLICE)) {
      turns.forEach(each -> each.slice(WARM_UP_SLICE));
      turns = turns.reversed();
    }
  }

  private Pair pair(int number, Loaded bare, Loaded cron) {
    if (number % 2 == 1) {
      Side first = bare.slice(settings.measured());
      return new Pair(first, cron.slice(settings.measured()));
    }
    Side first = cron.slice(settings.measured());
    return new Pair(bare.slice(settings.measured()), first);
  }

  /** A cluster that is loaded now and then. */
  private final class Loaded implements AutoCloseable {
    private final ReplicaCluster cluster;
    private long acknowledged;

    Loaded(Kind kind) {
      cluster =
          new ReplicaCluster(
              workplace, kind.name().toLowerCase(Locale.ROOT), REPLICAS, kind, settings.tick());
      if (kind == Kind.CRON) {
        cluster.put(settings.entries(), Settings.PERIOD);
      }
    }

    Side slice(Duration length) {
      List<ReplicaProcess> replicas = cluster.replicas();
      for (int i = 0; i < REPLICAS; i++) {
        replicas.get(i).load((long) i * settings.clients(), settings.clients(), Long.MAX_VALUE);
      }
      LockSupport.parkNanos(LEAD_IN.toNanos());
      Duration usedBefore = sum(replicas, ReplicaProcess::processorTime);
      Duration compiledBefore = sum(replicas, ReplicaProcess::compilerTime);
      List<Mark> before = replicas.stream().map(ReplicaProcess::mark).toList();
      LockSupport.parkNanos(length.toNanos());
      List<Mark> after = replicas.stream().map(ReplicaProcess::mark).toList();
      Duration used = sum(replicas, ReplicaProcess::processorTime).minus(usedBefore);
      Duration compiled = sum(replicas, ReplicaProcess::compilerTime).minus(compiledBefore);
      replicas.forEach(ReplicaProcess::end);
      acknowledged = replicas.stream().mapToLong(ReplicaProcess::ended).sum();
      double perSecond = 0;
      long requests = 0;
      for (int i = 0; i < REPLICAS; i++) {
        long done = after.get(i).acknowledged() - before.get(i).acknowledged();
        perSecond += done * 1e9 / (after.get(i).atNanos() - before.get(i).atNanos());
        requests += done;
      }
      return new Side(
          perSecond, used.toNanos() / 1e3 / requests, (double) compiled.toNanos() / used.toNanos());
    }

    /** Returns how many requests were answered; throws if not all of them were counted once. */
    long check() {
      State state = cluster.awaitEqual();
      if (state.requests() != acknowledged) {
        throw new IllegalStateException(
            "%d requests were answered as done and %d were counted"
                .formatted(acknowledged, state.requests()));
      }
      return acknowledged;
    }

    @Override
    public void close() {
      cluster.close();
    }
  }

  private static Duration sum(
      List<ReplicaProcess> replicas, Function<ReplicaProcess, Duration> of) {
    return replicas.stream().map(of).reduce(Duration.ZERO, Duration::plus);
  }

  private static String percent(double share) {
    return Shown.decimal(100 * share) + " %";
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  private static String three(double ratio) {
    return String.format(Locale.ROOT, "%.3f", ratio);
  }

  private Finding finding(List<Pair> pairs, long acknowledged) {
    Table table =
        new Table()
            .row(
                "pair",
                "bare req/s",
                "cron req/s",
                "ratio",
                "bare CPU us/req",
                "of it JIT compiler",
                "cron CPU us/req",
                "of it JIT compiler");
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      table.row(
          i + 1,
          Shown.count(pair.bare().perSecond()),
          Shown.count(pair.cron().perSecond()),
          three(pair.ratio()),
          Shown.decimal(pair.bare().microsPerRequest()),
          percent(pair.bare().compilerShare()),
          Shown.decimal(pair.cron().microsPerRequest()),
          percent(pair.cron().compilerShare()));
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("barePerSecond", pair.bare().perSecond());
      row.put("cronPerSecond", pair.cron().perSecond());
      row.put("ratio", pair.ratio());
      row.put("bareMicrosPerRequest", pair.bare().microsPerRequest());
      row.put("cronMicrosPerRequest", pair.cron().microsPerRequest());
      row.put("bareCompilerShare", pair.bare().compilerShare());
      row.put("cronCompilerShare", pair.cron().compilerShare());
      rows.add(row);
    }
    double median = median(pairs.stream().map(Pair::ratio).toList());
    table
        .row("median", "", "", three(median))
        .row(
            "nothing lost",
            "all %s answered requests were counted once, and the digests of all three were equal"
                .formatted(Shown.count(acknowledged)));
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("clientsOfEachReplica", settings.clients());
    data.put("entries", settings.entries());
    data.put("tickMillis", settings.tick().toMillis());
    data.put("warmupSeconds", settings.warmup().toSeconds());
    data.put("measuredSeconds", settings.measured().toSeconds());
    data.put("pairs", rows);
    data.put("acknowledged", acknowledged);
    data.put("medianRatio", median);
    return new Finding(
        "ordered requests, cron attached / bare counter (at least %s, aim %s)"
            .formatted(Settings.LEAST, Settings.AIM),
        table,
        data,
        median >= Settings.LEAST
            ? List.of()
            : List.of("the median is %s, not %s".formatted(three(median), Settings.LEAST)));
  }
}
