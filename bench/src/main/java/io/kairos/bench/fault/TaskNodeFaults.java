package io.kairos.bench.fault;

import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.fault.scene.NodesScene;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.task.ExecutionLog.Execution;
import io.kairos.bench.task.TaskStoreCount;
import io.kairos.bench.trial.LoadAccounts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Nodes that die or are restarted while tasks are scheduled and performed. */
final class TaskNodeFaults {
  private static final int NODES = 4;
  private static final Duration AFTER = Duration.ofSeconds(20);
  private static final Duration BETWEEN = Duration.ofSeconds(3);
  private static final Duration LATEST_START = Duration.ofSeconds(5);
  private static final double ACCEPTED_PERCENT = 99.9;

  private TaskNodeFaults() {}

  /** Two of four nodes are killed at the same moment. */
  static void kill(FaultContext context, FaultVerdict verdict)
      throws SQLException, InterruptedException {
    NodesScene scene = NodesScene.begin(context, NODES);
    scene.startLoad();
    BenchWait.pass(context.options.warmup);
    List<BenchNodeProcess> nodes = scene.rig.nodes();
    long killedAt = System.nanoTime();
    nodes.get(0).kill();
    nodes.get(1).kill();
    context.say("two nodes are dead");
    BenchWait.pass(AFTER);
    LoadAccounts accounts = scene.settle();
    List<Execution> executions = scene.executions();
    double latest = latestMillis(executions, killedAt, Long.MAX_VALUE);
    verdict
        .saw(
            "longest time without a start",
            Unit.MILLIS,
            longestGapMillis(executions, killedAt, Long.MAX_VALUE))
        .saw("latest start after its due time", Unit.MILLIS, latest)
        .saw(
            "latest start before the kill",
            Unit.MILLIS,
            latestMillis(executions, killedAt - context.options.warmup.toNanos() / 2, killedAt))
        .saw("calls that failed say", scene.failure())
        .demand(latest <= LATEST_START.toMillis(), "a task began too late")
        .account(accounts);
  }

  /** All of four nodes are replaced one after the other, by SIGTERM, while a client schedules. */
  static void rollingRestart(FaultContext context, FaultVerdict verdict)
      throws SQLException, InterruptedException {
    NodesScene scene = NodesScene.begin(context, NODES);
    scene.startLoad();
    BenchWait.pass(context.options.warmup);
    for (BenchNodeProcess node : scene.rig.nodes()) {
      Duration stop = scene.restart(node);
      verdict
          .saw("stop of " + node.name(), Unit.MILLIS, stop.toNanos() / 1e6)
          .demand(stop.compareTo(NodeFaults.LONGEST_STOP) < 0, node.name() + " stopped too late");
      BenchWait.pass(BETWEEN);
    }
    LoadAccounts accounts = scene.settle();
    TaskStoreCount store = scene.stored();
    double percent = 100.0 * accounts.accepted() / Math.max(1, accounts.sent());
    verdict
        .saw("accepted of the calls", Unit.PERCENT, percent)
        .saw("calls that failed say", scene.failure())
        .demand(percent >= ACCEPTED_PERCENT, "less than 99.9 % of the calls were accepted")
        .demand(
            store.succeeded() + store.otherwise() <= accounts.accepted() + accounts.uncertain(),
            "tasks were stored twice")
        .demand(accounts.duplicates() == 0, "tasks were performed twice")
        .account(accounts);
  }

  /** Longest time between the beginnings of two executions, of those after the kill. */
  static double longestGapMillis(List<Execution> executions, long killedAtNanos, long untilNanos) {
    long longest = 0;
    for (int i = 1; i < executions.size(); i++) {
      long began = executions.get(i).beganNanos();
      if (began > killedAtNanos && began < untilNanos) {
        longest = Math.max(longest, began - executions.get(i - 1).beganNanos());
      }
    }
    return longest / 1e6;
  }

  private static double latestMillis(List<Execution> executions, long fromNanos, long untilNanos) {
    return executions.stream()
        .filter(one -> one.beganNanos() >= fromNanos && one.beganNanos() < untilNanos)
        .mapToDouble(one -> (one.beganMicros() - one.dueMicros()) / 1e3)
        .max()
        .orElse(0);
  }
}
