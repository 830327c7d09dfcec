package io.kairos.bench.replica;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.observe.LatenessSummary;
import io.kairos.bench.replica.ReplicaSettings.Kind;
import io.kairos.bench.replica.ReplicaSettings.Log;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.bench.trial.TrialReport;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/** From a request to its execution at the replica that got it, at a steady pace at each of four. */
record PaceRun(WorkFolder folder, ProgressLog progress, Duration length) {
  private static final int REPLICAS = 4;

  /** Of each replica, so that there are 50 requests a second. */
  private static final Duration EVERY = Duration.ofMillis(80);

  private static final Duration APART = EVERY.dividedBy(REPLICAS);
  private static final long CLIENTS_APART = 1_000_000;
  private static final Duration WARM_UP = Duration.ofSeconds(30);
  private static final double MOST_P50_MILLIS = 800;
  private static final double MOST_P99_MILLIS = 2_000;

  TrialReport run() {
    Histogram micros = new Histogram(3);
    long counted;
    int requests = Math.toIntExact(length.dividedBy(EVERY));
    int before = Math.toIntExact(WARM_UP.dividedBy(EVERY));
    try (BenchReplicas cluster =
        new BenchReplicas(folder, "pace", REPLICAS, Kind.BARE, Log.HASHGRAPH, Duration.ZERO)) {
      pace(cluster, 0, before);
      progress.say("warmed up");
      pace(cluster, before, requests).forEach(micros::recordValue);
      counted = cluster.awaitEqual().requests();
    }
    LatenessSummary took = LatenessSummary.ofMicros(micros);
    FigureList figures =
        new FigureList()
            .row("request to execution, 50 requests a second at four replicas")
            .note("at most 800 and 2,000 ms, aim 300 and 800 ms")
            .count("requests", "requests", took.count())
            .add("p50Millis", "p50", Unit.MILLIS, took.p50())
            .add("p99Millis", "p99", Unit.MILLIS, took.p99())
            .add("maxMillis", "max", Unit.MILLIS, took.max());
    RunVerdict verdict =
        new RunVerdict()
            .demand(
                counted == (long) REPLICAS * (before + requests), "requests are lost or doubled")
            .expect(took.p50() <= MOST_P50_MILLIS, "a p50 of more than 800 ms")
            .expect(took.p99() <= MOST_P99_MILLIS, "a p99 of more than 2 s");
    return new TrialReport(figures, verdict);
  }

  private static List<Long> pace(BenchReplicas cluster, int first, int requests) {
    for (BenchReplicaProcess replica : cluster.replicas()) {
      long client = cluster.replicas().indexOf(replica) * CLIENTS_APART + first;
      replica.pace(client, EVERY, requests);
      BenchWait.pass(APART);
    }
    BenchWait.pass(EVERY.multipliedBy(requests));
    return cluster.replicas().stream().flatMap(replica -> replica.paced().stream()).toList();
  }
}
