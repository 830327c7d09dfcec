package io.kairos.bench.delay;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.load.LoadPlan;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialLoad;
import io.kairos.bench.trial.TrialLoad.Counts;
import io.kairos.bench.trial.TrialLoad.Done;
import io.kairos.bench.trial.TrialTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Delayed messages by a fixed schedule, on a rig whose nodes run. */
final class DelayTrial implements TrialLoad {
  private static final Duration HEAD_START = Duration.ofMillis(500);

  /** A generator that cannot keep its schedule has measured something else. */
  private static final double RATE_KEPT = 0.99;

  private final BenchRig rig;
  private final DelayBenchCommand asked;
  private final Map<String, Double> countedBefore;
  private @Nullable MessageFlow begun;

  DelayTrial(BenchRig rig, DelayBenchCommand asked) {
    this.rig = rig;
    this.asked = asked;
    this.countedBefore = NodeCounters.sum(rig.nodes());
  }

  @Override
  public void describe(FigureList figures) {
    figures
        .row("load")
        .add("rateAsked", "asked", Unit.PER_SECOND, asked.rate)
        .add("delayMinMillis", "delays from", Unit.MILLIS, asked.delayMin.toMillis())
        .add("delayMaxMillis", "to", Unit.MILLIS, asked.delayMax.toMillis())
        .count("valueBytes", "bytes", asked.node.valueBytes)
        .count("partitions", "partitions", asked.node.partitions)
        .count("nodes", "nodes", rig.nodes().size());
  }

  @Override
  public TrialTimes start() {
    TrialTimes times = TrialTimes.in(HEAD_START, asked.warmup, asked.duration);
    begun =
        new MessageFlow(
            rig,
            LoadPlan.delayed(asked.count(), asked.rate, asked.delayMin, asked.delayMax),
            asked.node.valueBytes,
            times,
            null);
    return times;
  }

  private MessageFlow flow() {
    return requireNonNull(begun, "the load has not begun");
  }

  @Override
  public ResourceMeter meter() throws SQLException {
    return rig.meter(rig.connect(), MessageFlow.TABLE, "node", "broker", "postgres");
  }

  @Override
  public Counts counts() {
    return new Counts(flow().accepted(), flow().ledger().count().distinct());
  }

  @Override
  public LoadAccounts settle() throws SQLException {
    return flow().settle(0);
  }

  /** Counts the messages that were due in the measured part and delivered. */
  @Override
  public Done done(Done marked, LoadAccounts accounts) {
    return new Done(accounts.ledger().lateness().count(), asked.duration.toNanos() / 1e9);
  }

  @Override
  public void judge(Done done, LoadAccounts accounts, FigureList figures, RunVerdict verdict) {
    judge(
        asked.rate,
        done,
        accounts,
        NodeCounters.since(countedBefore, rig.nodes()),
        figures,
        verdict);
  }

  static void judge(
      double asked,
      Done done,
      LoadAccounts accounts,
      Map<String, Double> counters,
      FigureList figures,
      RunVerdict verdict) {
    NodeCounters.report(counters, figures);
    verdict
        .expect(accounts.duplicates() == 0, "duplicates")
        .expect(
            counters.getOrDefault(NodeCounters.TAKEN_OVER, 0.0) == 0, "takeovers without a fault")
        .expect(
            counters.getOrDefault(NodeCounters.SUSPECTED, 0.0) == 0, "suspicions without a fault")
        .expect(done.perSecond() >= asked * RATE_KEPT, "the rate was not kept");
  }
}
