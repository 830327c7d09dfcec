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

/**
 * Kills each of four replicas in turn while clients make requests at all of them, and starts it
 * again with what its journal kept. What a client was told to be done must have been executed, and
 * nobody may have signed two events in one place.
 */
record RestartRun(WorkFolder folder, ProgressLog progress) {
  private static final int REPLICAS = 4;

  /** Clients of each replica. */
  private static final int CLIENTS = 8;

  private static final Duration LEAST_CALM = Duration.ofMillis(500);
  private static final long MORE_CALM_MILLIS = 1_000;
  private static final Duration CATCHES_UP_WITHIN = Duration.ofSeconds(60);

  TrialReport run(int kills) {
    SplittableRandom random = new SplittableRandom();
    List<Double> millis = new ArrayList<>();
    long acknowledged = 0;
    long lost = 0;
    int forkers = 0;
    long counted;
    long executed;
    try (BenchReplicas cluster =
        new BenchReplicas(folder, "restart", REPLICAS, Kind.BARE, Log.HASHGRAPH, Duration.ZERO)) {
      for (int number = 0; number < REPLICAS; number++) {
        load(cluster, number);
      }
      for (int kill = 1; kill <= kills; kill++) {
        BenchWait.pass(LEAST_CALM.plusMillis(random.nextLong(MORE_CALM_MILLIS)));
        int killed = kill % REPLICAS;
        BenchReplicaProcess victim = cluster.replica(killed);
        List<Long> told = victim.acknowledgements();
        victim.kill();
        BenchReplicaProcess other = cluster.replica((killed + 1) % REPLICAS);
        long reached = other.where();
        BenchReplicaProcess again = cluster.restart(killed);
        again.awaitOpen();
        BenchReplicas.await(
            () -> again.where() >= reached,
            CATCHES_UP_WITHIN,
            "the killed replica does not catch up");
        millis.add((System.nanoTime() - again.startedNanos()) / 1e6);
        List<Long> done = again.executions((long) killed * CLIENTS, CLIENTS);
        for (int client = 0; client < CLIENTS; client++) {
          acknowledged++;
          lost += done.get(client) < told.get(client) ? 1 : 0;
        }
        load(cluster, killed);
        progress.say("kill %d: back after %.0f ms".formatted(kill, millis.getLast()));
      }
      cluster.replicas().forEach(BenchReplicaProcess::end);
      cluster.replicas().forEach(BenchReplicaProcess::ended);
      counted = cluster.awaitEqual().requests();
      executed =
          cluster.replica(0).executions(0, REPLICAS * CLIENTS).stream()
              .mapToLong(Long::longValue)
              .sum();
      for (BenchReplicaProcess replica : cluster.replicas()) {
        forkers += replica.forkers();
      }
    }
    ValueSpread back = ValueSpread.of(millis);
    FigureList figures =
        new FigureList()
            .row("kill -9 of each of four replicas in turn, under load")
            .count("kills", "kills", kills)
            .count("requests", "requests executed", counted)
            .count("looked", "clients looked at", acknowledged)
            .count("lost", "that lost a request", lost)
            .count("forkers", "forks", forkers)
            .row("start of the process until it has caught up")
            .add("medianMillis", "median", Unit.MILLIS, back.median())
            .add("maxMillis", "max", Unit.MILLIS, back.max());
    RunVerdict verdict =
        new RunVerdict()
            .expect(lost == 0, "requests that were answered as done are lost")
            .expect(counted == executed, "requests were executed twice, or clients forgotten")
            .expect(forkers == 0, "a replica forked");
    return new TrialReport(figures, verdict);
  }

  private static void load(BenchReplicas cluster, int number) {
    cluster.replica(number).load((long) number * CLIENTS, CLIENTS, Long.MAX_VALUE);
  }
}
