package io.kairos.bench.fault;

import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * All of four nodes are replaced one after the other, by SIGTERM, while a client schedules (DA-10).
 */
final class RollingRestart implements Fault {
  private static final Duration BETWEEN = Duration.ofSeconds(3);
  private static final double ACCEPTED = 0.999;

  @Override
  public String name() {
    return "task-rolling-restart";
  }

  @Override
  public String about() {
    return "four nodes are restarted one after the other: 99.9 % of the schedule calls are accepted";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException, InterruptedException {
    Verdict verdict =
        new Verdict("%s at %s calls/s".formatted(name(), Shown.count(context.load().perSecond())));
    try (NodesScene scene = NodesScene.begin(context)) {
      Waiting.pass(context.warmup());
      List<NodeProcess> nodes = scene.nodes();
      for (NodeProcess node : nodes) {
        Duration away = scene.restart(node);
        context
            .progress()
            .say("%s: %s was away for %s s".formatted(name(), node.name(), away.toSeconds()));
        Waiting.pass(BETWEEN);
      }
      NodesScene.Outcome outcome = scene.settle();
      TaskAccounts accounts = outcome.accounts();
      double share = (double) accounts.accepted() / Math.max(1, accounts.sent());
      long stored = accounts.store().succeeded() + accounts.store().otherwise();
      return verdict
          .saw("accepted", "%.4f %% of the calls".formatted(share * 100))
          .saw("calls that failed say", outcome.failure().isEmpty() ? "-" : outcome.failure())
          .demand(share >= ACCEPTED, "less than 99.9 % of the calls were accepted")
          .demand(stored <= accounts.accepted() + accounts.uncertain(), "tasks were stored twice")
          .demand(accounts.performed().duplicates() == 0, "tasks were performed twice")
          .account(accounts);
    }
  }
}
