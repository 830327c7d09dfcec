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
 * Ordered requests a second through three replicas, of a cron and of a bare counter. The two
 * clusters of a pair have processes and directories of their own and run all the time. They are
 * loaded in turn, for a few seconds each: the pace of a shared disk changes by half within a
 * minute, and would be taken for a difference between sides that follow each other. A cluster that
 * is not loaded only beats, or ticks.
 */
final class RatioRun {
  private static final int REPLICAS = 3;
  private static final Duration SLICE = Duration.ofSeconds(5);

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
   * @param warmup how long each side of a pair is loaded before it is measured, lead-ins apart
   * @param measured how long each is measured
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
      Pair pair = pair(number);
      pairs.add(pair);
      progress.say("pair %d: ratio %s".formatted(number, three(pair.ratio())));
    }
    return finding(pairs);
  }

  private Pair pair(int number) {
    try (Loaded bare = new Loaded(number, Kind.BARE);
        Loaded cron = new Loaded(number, Kind.CRON)) {
      List<Loaded> turns = number % 2 == 1 ? List.of(bare, cron) : List.of(cron, bare);
      loadInTurn(turns, settings.warmup());
      turns.forEach(Loaded::forget);
      loadInTurn(turns, settings.measured());
      return new Pair(bare.side(), cron.side());
    }
  }

  /** One, the other, the other, one, and so on. */
  private static void loadInTurn(List<Loaded> turns, Duration each) {
    List<Loaded> order = turns;
    for (Duration done = Duration.ZERO; done.compareTo(each) < 0; done = done.plus(SLICE)) {
      order.forEach(Loaded::slice);
      order = order.reversed();
    }
  }

  /** A cluster, and what it has done while it was loaded. */
  private final class Loaded implements AutoCloseable {
    private final ReplicaCluster cluster;
    private int slices;
    private double perSecond;
    private long requests;
    private Duration used = Duration.ZERO;
    private Duration compiled = Duration.ZERO;
    private long acknowledged;

    Loaded(int number, Kind kind) {
      String name = "pair-%d-%s".formatted(number, kind.name().toLowerCase(Locale.ROOT));
      cluster = new ReplicaCluster(workplace, name, REPLICAS, kind, settings.tick());
      if (kind == Kind.CRON) {
        cluster.put(settings.entries(), Settings.PERIOD);
      }
    }

    void forget() {
      slices = 0;
      perSecond = 0;
      requests = 0;
      used = Duration.ZERO;
      compiled = Duration.ZERO;
    }

    void slice() {
      List<ReplicaProcess> replicas = cluster.replicas();
      for (int i = 0; i < REPLICAS; i++) {
        replicas.get(i).load((long) i * settings.clients(), settings.clients(), Long.MAX_VALUE);
      }
      LockSupport.parkNanos(LEAD_IN.toNanos());
      Duration usedBefore = sum(replicas, ReplicaProcess::processorTime);
      Duration compiledBefore = sum(replicas, ReplicaProcess::compilerTime);
      List<Mark> before = replicas.stream().map(ReplicaProcess::mark).toList();
      LockSupport.parkNanos(SLICE.toNanos());
      List<Mark> after = replicas.stream().map(ReplicaProcess::mark).toList();
      used = used.plus(sum(replicas, ReplicaProcess::processorTime)).minus(usedBefore);
      compiled = compiled.plus(sum(replicas, ReplicaProcess::compilerTime)).minus(compiledBefore);
      replicas.forEach(ReplicaProcess::end);
      acknowledged = replicas.stream().mapToLong(ReplicaProcess::ended).sum();
      for (int i = 0; i < REPLICAS; i++) {
        long done = after.get(i).acknowledged() - before.get(i).acknowledged();
        perSecond += done * 1e9 / (after.get(i).atNanos() - before.get(i).atNanos());
        requests += done;
      }
      slices++;
    }

    Side side() {
      State state = cluster.awaitEqual();
      if (state.requests() != acknowledged) {
        throw new IllegalStateException(
            "%d requests were answered as done and %d were counted"
                .formatted(acknowledged, state.requests()));
      }
      return new Side(
          perSecond / slices,
          used.toNanos() / 1e3 / requests,
          (double) compiled.toNanos() / used.toNanos(),
          acknowledged);
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
