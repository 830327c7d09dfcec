package io.kairos.bench.replica;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.measure.ProcessorTime;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialLoad;
import io.kairos.bench.trial.TrialLoad.Counts;
import io.kairos.bench.trial.TrialLoad.Done;
import io.kairos.bench.trial.TrialTimes;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Requests of clients at every replica of a cluster, as fast as they are answered, for a given
 * time.
 *
 * @param clients number of clients per replica
 */
record RequestTrial(BenchReplicas cluster, int clients, Duration length) implements TrialLoad {
  /** Until a cluster that has rested is at its pace: a bare one rests more, as nothing ticks. */
  private static final Duration LEAD_IN = Duration.ofSeconds(2);

  @Override
  public void describe(FigureList figures) {
    figures.row("load").count("clients", "clients of each replica", clients);
  }

  @Override
  public TrialTimes start() {
    List<BenchReplicaProcess> replicas = cluster.replicas();
    for (int i = 0; i < replicas.size(); i++) {
      replicas.get(i).load((long) i * clients, clients, Long.MAX_VALUE);
    }
    return TrialTimes.in(Duration.ZERO, LEAD_IN, length);
  }

  @Override
  public ResourceMeter meter() {
    return new ResourceMeter()
        .part("replica", true, () -> BenchRig.sum(cluster.replicas()))
        .part(
            "compiler",
            false,
            () ->
                cluster.replicas().stream()
                    .map(replica -> ProcessorTime.ofCompilers(replica.pid()))
                    .reduce(Duration.ZERO, Duration::plus));
  }

  @Override
  public Counts counts() {
    long acknowledged =
        cluster.replicas().stream().mapToLong(BenchReplicaProcess::acknowledged).sum();
    return new Counts(acknowledged, acknowledged);
  }

  /** Without a look meanwhile, which the replicas would have to answer. */
  @Override
  public void pass(long untilMicros, LongConsumer time) {
    BenchWait.passUntil(untilMicros);
  }

  /** Accounts for the requests that were answered as done, once all replicas are equal. */
  @Override
  public LoadAccounts settle() {
    cluster.replicas().forEach(BenchReplicaProcess::end);
    long acknowledged = cluster.replicas().stream().mapToLong(BenchReplicaProcess::ended).sum();
    long counted = cluster.awaitEqual().requests();
    return new LoadAccounts(
        acknowledged,
        acknowledged,
        0,
        Duration.ZERO,
        ArrivalLedger.ofEverything(0),
        new ArrivalLedger.Missing(Math.max(0, acknowledged - counted), List.of()),
        0,
        Math.max(0, counted - acknowledged));
  }

  @Override
  public void judge(Done done, LoadAccounts accounts, FigureList figures, RunVerdict verdict) {
    verdict.demand(accounts.otherwise() == 0, "requests were counted twice");
  }
}
