package io.kairos.bench.task;

import io.kairos.bench.load.LoadDueTimes;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.observe.ArrivalLedger;
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

/**
 * A load of tasks, with any performers. The run is void when a task is performed twice. Used by the
 * trial's thread.
 */
public abstract class TaskTrial extends TaskFlow implements TrialLoad {
  private static final Duration HEAD_START = Duration.ofSeconds(2);

  /** Without an end of a task for so long, what is missing counts as lost. */
  private static final Duration QUIET = Duration.ofSeconds(20);

  protected final TaskLoadOptions options;
  private long lastDone;
  private long quietSince = System.nanoTime();

  protected TaskTrial(BenchRig rig, TaskLoadOptions options, int payloadBytes) throws SQLException {
    super(rig, payloadBytes);
    this.options = options;
  }

  @Override
  public void describe(FigureList figures) {
    figures.row("load");
    if (options.rate == 0) {
      figures.note("as many as end").only("rateAsked", 0);
    } else {
      figures.add("rateAsked", "asked", Unit.PER_SECOND, options.rate);
    }
    figures
        .count("batch", "in batches of", options.batch)
        .add("delayMinMillis", "delays from", Unit.MILLIS, options.delayMin.toMillis())
        .add("delayMaxMillis", "to", Unit.MILLIS, options.delayMax.toMillis());
  }

  /** Sets the ledger into which arrivals are entered as they come; called once, at the start. */
  protected void judgeBy(ArrivalLedger ledger) throws SQLException {}

  @Override
  public TrialTimes start() throws SQLException {
    TrialTimes all = TrialTimes.in(HEAD_START, options.warmup, options.duration);
    TrialTimes times = options.keyPlan().perKey() > 0 ? all.withoutEnd() : all;
    ArrivalLedger ledger =
        new ArrivalLedger(times.start(), times.measuredFrom(), times.measuredUntil());
    judgeBy(ledger);
    begin(
        options.plan(times),
        LoadDueTimes.after(options.delayMin, options.delayMax, payload.run()),
        ledger);
    return times;
  }

  /** Finds out how many tasks have ended. On the trial's thread. */
  protected void look() {}

  @Override
  public Counts counts() {
    look();
    if (done() != lastDone) {
      lastDone = done();
      quietSince = System.nanoTime();
    }
    return new Counts(load().accepted(), done());
  }

  @Override
  public boolean hasEnded() {
    return load().hasEnded()
        && (lastDone >= load().accepted() || System.nanoTime() - quietSince > QUIET.toNanos());
  }

  @Override
  public ResourceMeter meter() {
    return rig.meter(connection, "task", "node", "postgres");
  }

  @Override
  public LoadAccounts settle() throws SQLException, InterruptedException {
    return settle(quiet());
  }

  /** Without an end of a task for so long, what is missing counts as lost. */
  protected Duration quiet() {
    return QUIET;
  }

  @Override
  public void judge(Done done, LoadAccounts accounts, FigureList figures, RunVerdict verdict)
      throws SQLException {
    verdict.demand(accounts.duplicates() == 0, "tasks were performed twice");
  }
}
