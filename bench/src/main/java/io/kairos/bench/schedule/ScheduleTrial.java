package io.kairos.bench.schedule;

import io.kairos.bench.load.LoadClock;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.TaskStoreCount;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialLoad;
import io.kairos.bench.trial.TrialLoad.Counts;
import io.kairos.bench.trial.TrialLoad.Done;
import io.kairos.bench.trial.TrialTimes;
import io.kairos.client.ScheduleSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * Very many schedules, equally many due in each round, on a rig with a running node. The plan says
 * which of them fires when; the store's ledger and the runs are compared with it.
 */
abstract class ScheduleTrial implements TrialLoad {
  /** Time before a fire time, or before the end, at which preparations begin. */
  static final long BEFORE_MICROS = 500_000;

  final BenchRig rig;
  final FirePlan plan;
  final Rounds rounds;
  final LoadPayload payload;
  final Connection connection;
  private final ProgressLog progress;

  /**
   * The part of a plan that is run.
   *
   * @param warmup rounds before the measured ones
   */
  record Rounds(FirePlan plan, int warmup, int measured) {
    int all() {
      return warmup + measured;
    }
  }

  ScheduleTrial(BenchRig rig, ProgressLog progress, Rounds rounds, int payloadBytes)
      throws SQLException {
    this.rig = rig;
    this.progress = progress;
    this.plan = rounds.plan();
    this.rounds = rounds;
    this.payload = LoadPayload.ofNewRun(payloadBytes);
    this.connection = rig.connect();
  }

  /** A plan whose first round leaves time to store its schedules. */
  static FirePlan plan(int dueAtOnce, int period, FirePlan.Unit unit) {
    Instant earliest = Instant.now().plus(ScheduleRegistration.lead(dueAtOnce * period));
    return FirePlan.after(earliest, dueAtOnce, period, unit);
  }

  @Override
  public void describe(FigureList figures) {
    figures
        .row("load")
        .count("schedules", "schedules", plan.schedules())
        .count("dueAtOnce", "due at once", plan.dueAtOnce())
        .note("such as '" + plan.expression(0) + "' in UTC");
  }

  /** Adds the settings that all schedules have in common. */
  abstract ScheduleSpec.Builder common(ScheduleSpec.Builder schedule);

  /** Begins to watch what runs; the schedules are in the store. */
  abstract void beginRuns() throws SQLException;

  /** The runs so far. */
  abstract PlannedRuns runs();

  /** Stops the performers, so that all runs are known. */
  abstract void endRuns();

  @Override
  public TrialTimes start() throws SQLException {
    ScheduleRegistration.register(rig, plan, payload, this::common, progress);
    beginRuns();
    return new TrialTimes(
        plan.atMicros(0),
        plan.atMicros(rounds.warmup()) - BEFORE_MICROS,
        plan.atMicros(rounds.all()) - BEFORE_MICROS);
  }

  @Override
  public ResourceMeter meter() {
    return rig.meter(connection, "schedule", "node", "postgres");
  }

  /** Fires that were due by now. */
  @Override
  public Counts counts() {
    int due = plan.fires(Math.clamp(plan.roundOf(LoadClock.micros()) + 1, 0, rounds.all()));
    return new Counts(due, due);
  }

  @Override
  public Done done(Done marked, LoadAccounts accounts) {
    return new Done(plan.fires(rounds.measured()), marked.seconds());
  }

  /** Lets everything that was due be decided and end, and nothing else. */
  @Override
  public LoadAccounts settle() throws SQLException {
    ScheduleTables.awaitEnd(connection, plan.atMicros(rounds.all() - 1));
    endRuns();
    TaskStoreCount store = TaskStoreCount.of(connection);
    return new LoadAccounts(
        runs().expected(),
        runs().expected(),
        0,
        Duration.ZERO,
        runs().ledger(),
        runs().missing(),
        store.unfinished(),
        store.otherwise());
  }

  @Override
  public void judge(Done done, LoadAccounts accounts, FigureList figures, RunVerdict verdict)
      throws SQLException {
    ScheduleTables.judge(connection, plan, rounds.warmup(), rounds.all()).report(figures, verdict);
    runs().report(figures, verdict);
    verdict.demand(accounts.duplicates() == 0, "runs were performed twice");
  }
}
