package io.kairos.bench.fault.scene;

import io.kairos.bench.load.LoadClock;
import io.kairos.bench.load.LoadDueTimes;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.task.KeyPlan;
import io.kairos.bench.task.TaskFlow;
import io.kairos.bench.task.TaskLoad;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.client.task.RetryPolicy;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Nodes that run and a load of tasks, for something to happen to nodes or workers. It ends with its
 * rig. Used by the fault's thread.
 */
public abstract class TaskScene extends TaskFlow {
  /** Retries attempts soon that a kill has cut off. */
  static final RetryPolicy SOON =
      RetryPolicy.attempts(100).backoff(Duration.ofMillis(100), 1, Duration.ofMillis(100));

  /** Interval between two looks at a condition that a scene waits for. */
  public static final Duration LOOK_EVERY = Duration.ofMillis(200);

  /** Lease, some backoffs, and the work itself. */
  private static final Duration QUIET = Duration.ofSeconds(40);

  final FaultContext context;

  /** Creates a scene on a rig whose nodes are ready. */
  TaskScene(FaultContext context, BenchRig rig) throws SQLException {
    super(rig, context.node.valueBytes);
    this.context = context;
  }

  /** Tasks begin to come that are due at once, until the scene is settled. */
  public final void startLoad(double perSecond, int batch, int callers) {
    long start = LoadClock.micros();
    begin(
        new TaskLoad.Plan(perSecond, batch, 0, callers, start, Long.MAX_VALUE, KeyPlan.NONE),
        LoadDueTimes.after(Duration.ZERO, Duration.ZERO, payload.run()),
        ArrivalLedger.ofEverything(start));
  }

  public final void stopLoad() {
    load().stop();
  }

  /** Ends the load, waits until all has ended, and counts. */
  public final LoadAccounts settle() throws SQLException, InterruptedException {
    stopLoad();
    return settle(QUIET);
  }

  /** Calls that have failed so far. */
  public final int failures() {
    return load().uncertain().size();
  }

  /** Error of the last call that failed; a dash when none did. */
  public final String failure() {
    return load().failure();
  }
}
