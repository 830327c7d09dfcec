package io.kairos.bench.task;

import io.kairos.bench.load.LoadDueTimes;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Tasks of one run on their way from a load to those who perform them, with a ledger of them. It
 * ends with its rig. Used by one thread.
 */
public final class TaskFlow {
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private final TaskPerformers performers;
  private final TaskLoad load;
  private final ArrivalLedger ledger;

  private TaskFlow(TaskPerformers performers, TaskLoad load, ArrivalLedger ledger) {
    this.performers = performers;
    this.load = load;
    this.ledger = ledger;
  }

  /** Begins to schedule. */
  public static TaskFlow begin(
      BenchRig rig,
      TaskPerformers performers,
      TaskLoad.Plan plan,
      LoadPayload payload,
      LoadDueTimes dueTimes,
      ArrivalLedger ledger) {
    TaskLoad load =
        rig.keep(new TaskLoad(performers.target(), plan, payload, dueTimes, performers::done));
    load.start();
    return new TaskFlow(performers, load, ledger);
  }

  /** Begins to schedule tasks that are due at once, at a rate and until it is settled. */
  public static TaskFlow steady(
      BenchRig rig,
      TaskPerformers performers,
      double perSecond,
      int batch,
      int callers,
      LoadPayload payload) {
    TrialTimes times = TrialTimes.wholeFromNow();
    return begin(
        rig,
        performers,
        new TaskLoad.Plan(
            perSecond, batch, 0, callers, times.start(), Long.MAX_VALUE, KeyPlan.NONE),
        payload,
        LoadDueTimes.after(Duration.ZERO, Duration.ZERO, payload.run()),
        ArrivalLedger.ofEverything(times.start()));
  }

  public TaskLoad load() {
    return load;
  }

  /**
   * Waits until all is scheduled and has ended, and counts.
   *
   * @param quiet without an end for so long what is missing is lost
   */
  public LoadAccounts settle(Duration quiet) throws SQLException, InterruptedException {
    load.join();
    long last = Long.MAX_VALUE;
    for (long since = System.nanoTime();
        last > 0 && System.nanoTime() - since < quiet.toNanos(); ) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      long left = performers.unfinished();
      if (left != last) {
        last = left;
        since = System.nanoTime();
      }
    }
    performers.stop(ledger);
    return new LoadAccounts(
        load.sent(),
        load.accepted(),
        load.uncertain().size(),
        load.worstLag(),
        ledger,
        load.missingFrom(ledger),
        performers.unfinished(),
        performers.otherwise());
  }
}
