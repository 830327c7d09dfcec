package io.kairos.bench.trial;

import io.kairos.bench.load.LoadClock;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.bench.observe.HiccupMeter;
import io.kairos.bench.observe.LatenessSummary;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ProgressLog;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.bench.trial.TrialLoad.Counts;
import io.kairos.bench.trial.TrialLoad.Done;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * One measured run of a load: start, warm up, measure, drain, judge. Whatever the load, the run is
 * void when anything accepted is lost or damaged. Runs on the thread of the command.
 */
public final class TrialRunner {
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final Duration TELL_EVERY = Duration.ofSeconds(10);

  private final TrialLoad load;
  private final ProgressLog progress;

  public TrialRunner(TrialLoad load, ProgressLog progress) {
    this.load = load;
    this.progress = progress;
  }

  private record Mark(Counts counts, ResourceMeter.Reading reading, long nanos) {}

  /** Runs the load; to be called once. */
  public TrialReport run() throws SQLException, InterruptedException {
    FigureList figures = new FigureList();
    load.describe(figures);
    try (HiccupMeter hiccups = HiccupMeter.start()) {
      TrialTimes times = load.start();
      ResourceMeter meter = load.meter();
      load.pass(times.measuredFrom(), this::pass);
      hiccups.forget();
      Mark from = mark(meter);
      load.pass(times.measuredUntil(), this::pass);
      LatenessSummary hiccup = hiccups.take();
      Mark until = mark(meter);
      progress.say("draining");
      LoadAccounts accounts = load.settle();
      double seconds = (until.nanos - from.nanos) / 1e9;
      Done done = load.done(new Done(until.counts.done() - from.counts.done(), seconds), accounts);
      RunVerdict verdict =
          accounts.judge(new RunVerdict().expect(accounts.uncertain() == 0, "uncertain calls"));
      figures
          .row("measured")
          .add("warmupSeconds", "after a warm-up of", Unit.SECONDS, times.warmupSeconds())
          .add("durationSeconds", "for", Unit.SECONDS, seconds)
          .add("loadLagMillis", "load behind by", Unit.MILLIS, accounts.worstLag().toMillis())
          .row("accepted")
          .add(
              "acceptedPerSecond",
              "",
              Unit.PER_SECOND,
              (until.counts.accepted() - from.counts.accepted()) / seconds)
          .row("done")
          .add("perSecond", "", Unit.PER_SECOND, done.perSecond());
      LatenessSummary lateness = accounts.ledger().lateness();
      figures
          .lateness("lateness", "lateness", lateness)
          .lateness("hiccup", "host hiccups", hiccup)
          .row("p99.9 less hiccups")
          .add("p999LessHiccup", "", Unit.MILLIS, lateness.p999() - hiccup.p999());
      figures.only("secondP50P99P999", accounts.ledger().secondP50P99P999());
      accounts.report(figures);
      load.judge(done, accounts, figures, verdict);
      meter.report(from.reading, until.reading, done.count(), figures);
      return new TrialReport(figures, verdict);
    }
  }

  private Mark mark(ResourceMeter meter) throws SQLException {
    Counts counts = load.counts(); // before the reading, which takes its time
    long nanos = System.nanoTime();
    return new Mark(counts, meter.read(), nanos);
  }

  private void pass(long untilMicros) {
    long tellAt = System.nanoTime() + TELL_EVERY.toNanos();
    for (long left = untilMicros - LoadClock.micros();
        left > 0 && !load.hasEnded();
        left = untilMicros - LoadClock.micros()) {
      LockSupport.parkNanos(Math.min(LOOK_EVERY.toNanos(), left * 1_000));
      Counts counts = load.counts();
      if (System.nanoTime() - tellAt > 0) {
        progress.say(
            "%s accepted, %s done"
                .formatted(
                    ShownNumbers.count(counts.accepted()), ShownNumbers.count(counts.done())));
        tellAt += TELL_EVERY.toNanos();
      }
    }
  }
}
