package io.kairos.bench.replica;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.replica.ReplicaSettings.Kind;
import io.kairos.bench.replica.ReplicaSettings.Log;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.report.ValueSpread;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.bench.trial.TrialReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Kills the leader of three replicas again and again, each time at a random moment, and restarts it
 * when the others have gone on.
 */
record LeaderKillRun(WorkFolder folder, ProgressLog progress, Duration tick) {
  private static final int REPLICAS = 3;
  private static final int ENTRIES = 1_000;
  private static final Duration PERIOD = Duration.ofSeconds(10);
  private static final Duration LEAST_CALM = Duration.ofSeconds(1);
  private static final long MORE_CALM_MILLIS = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Duration GIVEN_UP_AFTER = Duration.ofSeconds(30);

  TrialReport run(int rounds) {
    List<Long> millis = new ArrayList<>();
    SplittableRandom random = new SplittableRandom();
    try (BenchReplicas cluster =
        new BenchReplicas(folder, "leader-kill", REPLICAS, Kind.CRON, Log.RATIS, tick)) {
      cluster.put(ENTRIES, PERIOD);
      for (int round = 1; round <= rounds; round++) {
        BenchWait.pass(LEAST_CALM.plusMillis(random.nextLong(MORE_CALM_MILLIS)));
        long took = kill(cluster);
        millis.add(took);
        progress.say("kill %d: next tick after %d ms".formatted(round, took));
      }
      cluster.awaitEqual();
    }
    return finding(millis);
  }

  private static long kill(BenchReplicas cluster) {
    int leader = cluster.leader();
    List<BenchReplicaProcess> survivors = new ArrayList<>(cluster.replicas());
    BenchReplicaProcess victim = survivors.remove(leader);
    survivors.forEach(survivor -> survivor.watch(leader));
    long killedAt = System.nanoTime();
    victim.kill();
    long tickedAt = awaitTick(survivors);
    BenchReplicaProcess again = cluster.restart(leader);
    again.awaitOpen();
    long reached = survivors.getFirst().where();
    BenchReplicas.await(
        () -> again.where() >= reached, GIVEN_UP_AFTER, "the killed replica does not catch up");
    return Duration.ofNanos(tickedAt - killedAt).toMillis();
  }

  /** Waits for the first tick that evaluated after another has become leader. */
  private static long awaitTick(List<BenchReplicaProcess> survivors) {
    LongSupplier first =
        () ->
            survivors.stream()
                .mapToLong(BenchReplicaProcess::tickedAtNanos)
                .filter(at -> at != 0)
                .min()
                .orElse(0);
    BenchReplicas.await(
        () -> first.getAsLong() != 0,
        GIVEN_UP_AFTER,
        "no tick is executed after the leader was killed");
    return first.getAsLong();
  }

  private TrialReport finding(List<Long> millis) {
    List<Double> values = millis.stream().map(Long::doubleValue).toList();
    ValueSpread spread = ValueSpread.of(values);
    RunVerdict verdict =
        new RunVerdict()
            .expect(spread.max() <= LIMIT.toMillis(), "the longest took longer than " + LIMIT);
    FigureList figures =
        new FigureList()
            .row("leader kill -9 to the next tick")
            .note("that evaluated on a survivor, at most 2,000 ms, aim 700 ms")
            .add("tickMillis", "tick", Unit.MILLIS, tick.toMillis())
            .count("entries", "entries", ENTRIES)
            .row("took")
            .note(millis.toString())
            .only("millis", millis)
            .row("")
            .add("medianMillis", "median", Unit.MILLIS, spread.median())
            .add("maxMillis", "max", Unit.MILLIS, spread.max());
    return new TrialReport(figures, verdict);
  }
}
