package io.kairos.bench.schedule;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.FigureColumns;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.TaskWorkerMain;
import io.kairos.bench.task.TaskWorkers;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialLoad.Done;
import io.kairos.client.ScheduleSpec;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.ToDoubleFunction;

/**
 * Schedules that fire at whole minutes, whose runs worker processes perform. Measures the time
 * until all runs of a fire time can be claimed, and until all have ended.
 */
final class FiringTrial extends ScheduleTrial {
  private final TaskWorkers workers;
  private final PlannedRuns runs;
  private final List<FireRound> watched = new ArrayList<>();

  /**
   * One fire instant as it was seen from outside.
   *
   * @param claimableMillis from the fire instant until another connection saw every decision and
   *     task of it
   * @param endedMillis until it saw the end of each of these tasks
   * @param complete both came to pass before the next round; else the figures are how long was
   *     waited
   * @param micros processor time of a fire, from just before the fire instant to the end
   */
  private record FireRound(
      Instant fireAt,
      double claimableMillis,
      double endedMillis,
      boolean complete,
      double micros) {}

  FiringTrial(
      BenchRig rig, ProgressLog progress, Rounds rounds, int payloadBytes, TaskWorkers workers)
      throws SQLException {
    super(rig, progress, rounds, payloadBytes);
    this.workers = workers;
    this.runs = new PlannedRuns(plan, PlannedRuns.AT_ONCE, rounds.warmup(), rounds.all());
  }

  @Override
  ScheduleSpec.Builder common(ScheduleSpec.Builder schedule) {
    return schedule.handler(TaskWorkerMain.FIRED_HANDLER);
  }

  @Override
  void beginRuns() {}

  @Override
  PlannedRuns runs() {
    return runs;
  }

  @Override
  void endRuns() {
    workers.stop(one -> runs.performed(one, payload.run()));
  }

  @Override
  public ResourceMeter meter() {
    return super.meter().part("worker", true, workers::processorTime);
  }

  @Override
  public void pass(long untilMicros, LongConsumer time) throws SQLException {
    while (watched.size() < rounds.all() && plan.atMicros(watched.size()) < untilMicros) {
      watched.add(watch(watched.size()));
    }
    time.accept(untilMicros);
  }

  private FireRound watch(int number) throws SQLException {
    ResourceMeter meter = meter();
    long fireAt = plan.atMicros(number);
    BenchWait.passUntil(fireAt - BEFORE_MICROS);
    ResourceMeter.Reading before = meter.read();
    BenchWait.passUntil(fireAt);
    Duration patience =
        Duration.ofNanos((plan.atMicros(number + 1) - 2 * BEFORE_MICROS - fireAt) * 1_000);
    long until = System.nanoTime() + patience.toNanos();
    boolean claimable =
        BenchWait.until(
            () -> ScheduleTables.allDecided(connection, fireAt),
            patience,
            ScheduleTables.LOOK_EVERY);
    long claimableAt = LoadClock.micros();
    boolean ended =
        BenchWait.until(
            () -> ScheduleTables.noneUnfinished(connection),
            Duration.ofNanos(until - System.nanoTime()),
            ScheduleTables.LOOK_EVERY);
    long endedAt = LoadClock.micros();
    return new FireRound(
        plan.at(number),
        (claimableAt - fireAt) / 1e3,
        (endedAt - fireAt) / 1e3,
        claimable && ended,
        meter.micros(before, meter.read(), plan.dueAtOnce()));
  }

  @Override
  public void judge(Done done, LoadAccounts accounts, FigureList figures, RunVerdict verdict)
      throws SQLException {
    super.judge(done, accounts, figures, verdict);
    List<FireRound> measured = watched.subList(rounds.warmup(), rounds.all());
    figures
        .lines("rounds", measured.stream().map(FiringTrial::columns).toList())
        .row("all claimable")
        .add("claimableMillis", "at most", Unit.MILLIS, most(measured, FireRound::claimableMillis))
        .row("all ended")
        .add("endedMillis", "at most", Unit.MILLIS, most(measured, FireRound::endedMillis));
    verdict.expect(
        measured.stream().allMatch(FireRound::complete), "rounds that did not end in time");
  }

  private static FigureColumns columns(FireRound round) {
    return new FigureColumns()
        .add("fireAt", "fire time", Unit.TEXT, round.fireAt)
        .add("claimableMillis", "all claimable after", Unit.MILLIS, round.claimableMillis)
        .add("endedMillis", "all ended after", Unit.MILLIS, round.endedMillis)
        .add("cpuMicros", "CPU of each", Unit.MICROS, round.micros);
  }

  private static double most(List<FireRound> rounds, ToDoubleFunction<FireRound> of) {
    return rounds.stream().mapToDouble(of).max().orElse(0);
  }
}
