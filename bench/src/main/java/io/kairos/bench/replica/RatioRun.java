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
 * Ordered requests a second through three replicas, of a cron and of a bare counter in turn. Each
 * side of each pair has processes and directories of its own, as only one cluster runs at a time
 * and none has the other's history.
 */
final class RatioRun {
  private static final int REPLICAS = 3;

  private final Workplace workplace;
  private final Progress progress;
  private final Settings settings;

  /**
   * What is run.
   *
   * @param clients of each replica
   * @param entries of the cron's table, due once a minute each
   * @param warmup before each measured part
   * @param measured length of each measured part
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
  private record Side(
      double perSecond, double microsPerRequest, double compilerShare, long acknowledged) {}

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
    List<Pair> pairs = new ArrayList<>();
    for (int number = 1; number <= settings.pairs(); number++) {
      boolean bareFirst = number % 2 == 1;
      Side first = side(number, bareFirst ? Kind.BARE : Kind.CRON);
      Side second = side(number, bareFirst ? Kind.CRON : Kind.BARE);
      Pair pair = bareFirst ? new Pair(first, second) : new Pair(second, first);
      pairs.add(pair);
      progress.say("pair %d: ratio %s".formatted(number, three(pair.ratio())));
    }
    return finding(pairs);
  }

  private Side side(int number, Kind kind) {
    String name = "pair-%d-%s".formatted(number, kind.name().toLowerCase(Locale.ROOT));
    try (ReplicaCluster cluster =
        new ReplicaCluster(workplace, name, REPLICAS, kind, settings.tick())) {
      if (kind == Kind.CRON) {
        cluster.put(settings.entries(), Settings.PERIOD);
      }
      List<ReplicaProcess> replicas = cluster.replicas();
      for (int i = 0; i < REPLICAS; i++) {
        replicas.get(i).load((long) i * settings.clients(), settings.clients(), Long.MAX_VALUE);
      }
      LockSupport.parkNanos(settings.warmup().toNanos());
      Duration usedBefore = sum(replicas, ReplicaProcess::processorTime);
      Duration compiledBefore = sum(replicas, ReplicaProcess::compilerTime);
      List<Mark> before = replicas.stream().map(ReplicaProcess::mark).toList();
      LockSupport.parkNanos(settings.measured().toNanos());
      List<Mark> after = replicas.stream().map(ReplicaProcess::mark).toList();
      Duration used = sum(replicas, ReplicaProcess::processorTime).minus(usedBefore);
      Duration compiled = sum(replicas, ReplicaProcess::compilerTime).minus(compiledBefore);
      replicas.forEach(ReplicaProcess::end);
      long acknowledged = replicas.stream().mapToLong(ReplicaProcess::ended).sum();
      State state = cluster.awaitEqual();
      if (state.requests() != acknowledged) {
        throw new IllegalStateException(
            "%d requests were answered as done and %d were counted"
                .formatted(acknowledged, state.requests()));
      }
      double perSecond = 0;
      long measured = 0;
      for (int i = 0; i < REPLICAS; i++) {
        long requests = after.get(i).acknowledged() - before.get(i).acknowledged();
        perSecond += requests * 1e9 / (after.get(i).atNanos() - before.get(i).atNanos());
        measured += requests;
      }
      return new Side(
          perSecond,
          used.toNanos() / 1e3 / measured,
          (double) compiled.toNanos() / used.toNanos(),
          acknowledged);
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

  private Finding finding(List<Pair> pairs) {
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
      row.put("acknowledged", pair.bare().acknowledged() + pair.cron().acknowledged());
      rows.add(row);
    }
    double median = median(pairs.stream().map(Pair::ratio).toList());
    table
        .row("median", "", "", three(median))
        .row(
            "nothing lost",
            "each time all answered requests were counted once, and the digests of all three were equal");
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("clientsOfEachReplica", settings.clients());
    data.put("entries", settings.entries());
    data.put("tickMillis", settings.tick().toMillis());
    data.put("warmupSeconds", settings.warmup().toSeconds());
    data.put("measuredSeconds", settings.measured().toSeconds());
    data.put("pairs", rows);
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
