package io.kairos.bench.fault.scene;

import io.kairos.bench.delay.MessageFlow;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.load.LoadPlan;
import io.kairos.bench.observe.ArrivalLog;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.bench.trial.TrialTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Nodes under a steady open load, watched by an observer, for a fault to happen in. It ends with
 * its rig. Used by the fault's thread.
 */
public final class DelayScene {
  /** A message that is overdue by more is not punctual. */
  public static final Duration PUNCTUAL = Duration.ofMillis(500);

  /** Longer than any fault takes; the load is stopped when the fault is over. */
  private static final Duration LONGEST = Duration.ofHours(2);

  private static final Duration SHORTEST_DELAY = Duration.ofSeconds(1);
  private static final long PUNCTUAL_FOR_MICROS = 2_000_000;
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  public final BenchRig rig;
  public final ArrivalLog arrivals = new ArrivalLog();
  private final List<BenchNodeProcess> started;
  private final MessageFlow flow;

  /** Lets the load begin on a rig whose nodes are ready. */
  public DelayScene(FaultContext context, BenchRig rig) {
    this.rig = rig;
    started = rig.nodes();
    double rate = context.options.rate;
    flow =
        new MessageFlow(
            rig,
            LoadPlan.delayed(
                (long) (rate * LONGEST.toSeconds()),
                rate,
                SHORTEST_DELAY,
                context.options.delayMax),
            context.node.valueBytes,
            TrialTimes.wholeFromNow(),
            arrivals);
  }

  /** Starts a rig with nodes and lets the load begin. */
  public static DelayScene begin(FaultContext context, int nodes) {
    return new DelayScene(context, context.startNodes(nodes));
  }

  /** True when the nodes of the beginning, and no other ones, run. */
  public boolean allSurvived() {
    return rig.nodes().equals(started);
  }

  /** Copies of messages so far. */
  public long duplicates() {
    return flow.ledger().count().duplicates();
  }

  /** Lets input and output have more partitions, and observes the new ones. */
  public void addPartitions(int total) {
    rig.addPartitions(total);
    flow.partitionsAdded(total);
  }

  /**
   * Waits until nothing is overdue, for two seconds on end.
   *
   * @return when these began, microseconds since the epoch; -1 when that takes longer
   */
  public long awaitPunctual(Duration atMost) throws SQLException {
    long[] punctualSince = {Long.MAX_VALUE};
    boolean punctual =
        await(
            () -> {
              long now = LoadClock.micros();
              boolean none = arrivals.overdue(now - PUNCTUAL.toNanos() / 1_000) == 0;
              punctualSince[0] = none ? Math.min(punctualSince[0], now) : Long.MAX_VALUE;
              return none && now - punctualSince[0] >= PUNCTUAL_FOR_MICROS;
            },
            atMost);
    return punctual ? punctualSince[0] : -1;
  }

  /** Demands that all is punctual again within a time after a moment. */
  public void demandPunctual(String which, long sinceMicros, Duration atMost, FaultVerdict verdict)
      throws SQLException {
    long punctualAt = awaitPunctual(atMost);
    verdict
        .saw("punctual again " + which, Unit.MILLIS, (punctualAt - sinceMicros) / 1e3)
        .demand(punctualAt >= 0, "messages did not become punctual again " + which);
  }

  /** Waits until a condition holds; false when that takes longer. */
  public boolean await(BenchWait.Condition<SQLException> condition, Duration atMost)
      throws SQLException {
    return BenchWait.until(condition, atMost, LOOK_EVERY);
  }

  /** Ends the load, waits for what is still to come, and counts. */
  public LoadAccounts settle() throws SQLException {
    flow.stop();
    return flow.settle(0);
  }
}
