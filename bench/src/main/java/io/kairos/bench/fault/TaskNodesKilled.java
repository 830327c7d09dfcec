package io.kairos.bench.fault;

import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.task.ExecutionLog.Execution;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Two of four nodes are killed at the same moment while tasks are scheduled and performed. */
final class TaskNodesKilled implements Fault {
  private static final Duration AFTER = Duration.ofSeconds(20);
  private static final Duration LATEST_START = Duration.ofSeconds(5);

  @Override
  public String name() {
    return "task-nodes-kill";
  }

  @Override
  public String about() {
    return "two of four nodes are killed under tasks: workers and client go on with the others";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException, InterruptedException {
    Verdict verdict =
        new Verdict("%s at %s tasks/s".formatted(name(), Shown.count(context.load().perSecond())));
    try (NodesScene scene = NodesScene.begin(context)) {
      Waiting.pass(context.warmup());
      List<NodeProcess> nodes = scene.nodes();
      long killedAt = System.nanoTime();
      nodes.get(0).kill();
      nodes.get(1).kill();
      context.progress().say(name() + ": two nodes are dead");
      Waiting.pass(AFTER);
      NodesScene.Outcome outcome = scene.settle();
      List<Execution> executions = outcome.executions();
      double calm = latestMillis(executions, killedAt - context.warmup().toNanos() / 2, killedAt);
      double latest = latestMillis(executions, killedAt, Long.MAX_VALUE);
      return verdict
          .saw("longest time without a start", Shown.millis(longestGapMillis(executions, killedAt)))
          .saw(
              "latest start after its due time",
              "%s, %s before the kill".formatted(Shown.millis(latest), Shown.millis(calm)))
          .saw("calls that failed say", outcome.failure().isEmpty() ? "-" : outcome.failure())
          .demand(
              latest <= LATEST_START.toMillis(), "a task began " + Shown.millis(latest) + " late")
          .account(outcome.accounts());
    }
  }

  /** Of those that began after the kill. */
  private static double longestGapMillis(List<Execution> executions, long killedAtNanos) {
    long longest = 0;
    for (int i = 1; i < executions.size(); i++) {
      long began = executions.get(i).beganNanos();
      if (began > killedAtNanos) {
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
