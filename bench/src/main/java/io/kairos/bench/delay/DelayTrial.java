package io.kairos.bench.delay;

import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.measure.StoredMessages;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.RouteTopics;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialLoad;
import io.kairos.bench.trial.TrialTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Delayed messages by a fixed schedule, on a rig whose nodes run. */
final class DelayTrial implements TrialLoad {
  private static final Duration HEAD_START = Duration.ofMillis(500);

  /** A generator that cannot keep its schedule has measured something else. */
  private static final double RATE_KEPT = 0.99;

  private final BenchRig rig;
  private final RouteTopics topics;
  private final Settings settings;
  private final Map<String, Double> countedBefore;
  private @Nullable MessageFlow begun;

  /**
   * What to run.
   *
   * @param delayMin shortest time between sending and the due time
   */
  record Settings(
      double perSecond,
      Duration delayMin,
      Duration delayMax,
      Duration warmup,
      Duration duration,
      int valueBytes) {
    private long count() {
      return Math.round(perSecond * warmup.plus(duration).toNanos() / 1e9);
    }
  }

  DelayTrial(BenchRig rig, RouteTopics topics, Settings settings) {
    this.rig = rig;
    this.topics = topics;
    this.settings = settings;
    this.countedBefore = NodeCounters.sum(rig.nodes());
  }

  @Override
  public void describe(FigureList figures) {
    figures
        .row("load")
        .add("rateAsked", "asked", Unit.PER_SECOND, settings.perSecond)
        .add("delayMinMillis", "delays from", Unit.MILLIS, settings.delayMin.toMillis())
        .add("delayMaxMillis", "to", Unit.MILLIS, settings.delayMax.toMillis())
        .count("valueBytes", "bytes", settings.valueBytes)
        .count("partitions", "partitions", topics.partitions())
        .count("nodes", "nodes", rig.nodes().size());
  }

  @Override
  public TrialTimes start() throws SQLException {
    TrialTimes times = TrialTimes.in(HEAD_START, settings.warmup, settings.duration);
    begun =
        MessageFlow.begin(
            rig,
            topics,
            MessageFlow.Load.delayed(
                settings.count(),
                settings.perSecond,
                settings.valueBytes,
                settings.delayMin,
                settings.delayMax),
            times,
            null);
    return times;
  }

  private MessageFlow flow() {
    MessageFlow flow = begun;
    if (flow == null) {
      throw new IllegalStateException("the load has not begun");
    }
    return flow;
  }

  @Override
  public ResourceMeter meter() throws SQLException {
    return rig.meter(rig.connect(), StoredMessages.TABLE, Set.of("node", "broker", "postgres"));
  }

  @Override
  public Counts counts() {
    return new Counts(flow().accepted(), flow().ledger().count().distinct());
  }

  @Override
  public LoadAccounts settle() throws SQLException {
    return flow().settle();
  }

  /** What was due in the measured part and delivered. */
  @Override
  public Done done(Done marked, LoadAccounts accounts) {
    return new Done(accounts.ledger().lateness().count(), settings.duration.toNanos() / 1e9);
  }

  @Override
  public void judge(Done done, LoadAccounts accounts, FigureList figures, RunVerdict verdict) {
    judge(
        settings.perSecond,
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
