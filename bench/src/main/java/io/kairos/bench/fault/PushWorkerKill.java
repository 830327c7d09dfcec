package io.kairos.bench.fault;

import io.kairos.bench.push.PushWorkerMain.Filter;
import io.kairos.bench.push.PushedEffects;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.client.KairosClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * SIGKILL for one of three HTTP workers under load, again and again: first with receivers that keep
 * repeats away in the transaction of the effect, then with those that only remember.
 */
final class PushWorkerKill implements Fault {
  private static final Duration BETWEEN = Duration.ofSeconds(3);

  @Override
  public String name() {
    return "push-worker-kill";
  }

  @Override
  public String about() {
    return "kill -9 of one of three HTTP workers under load: every effect once, by the"
        + " transactional filter";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException, InterruptedException {
    Verdict verdict =
        new Verdict(
            "%s at %s tasks/s, %d times with each filter"
                .formatted(name(), Shown.count(context.load().perSecond()), context.rounds()));
    try (Rig rig = Rig.start(context.workplace(), context.server())) {
      NodeProcess node = rig.startNode(rig.newRoute(context.partitions()), context.settings());
      try (Connection connection = rig.connect();
          KairosClient client = KairosClient.connect(node.address())) {
        PushedEffects.create(connection);
        for (Filter filter : Filter.values()) {
          try (PushScene scene = PushScene.begin(context, filter, rig, client, connection)) {
            Waiting.pass(BETWEEN);
            boolean back = true;
            for (int i = 1; i <= context.rounds(); i++) {
              back &= scene.kill(i);
              context.progress().say("%s %d, %s".formatted(name(), i, words(filter)));
              Waiting.pass(BETWEEN);
            }
            verdict.demand(back, "the pool did not take a new worker back");
            judge(verdict, filter, scene.settle());
          }
        }
      }
    }
    return verdict;
  }

  private static String words(Filter filter) {
    return switch (filter) {
      case STORED -> "transactional filter";
      case RECENT -> "local cache";
    };
  }

  /** Without the transaction an effect may be had again, which is told; nothing may be lost. */
  static void judge(Verdict verdict, Filter filter, PushScene.Outcome outcome) {
    TaskAccounts accounts = outcome.accounts();
    PushedEffects.Count effects = outcome.effects();
    verdict
        .saw(
            words(filter),
            "%s tasks accepted, %s uncertain; executions lost %s, effects doubled %s, repeats that came to nothing %s; %s requests cut off; the store says %s succeeded, %s otherwise, %s unfinished"
                .formatted(
                    Shown.count(accounts.accepted()),
                    Shown.count(accounts.uncertain()),
                    Shown.count(accounts.missing().lost()),
                    Shown.count(accounts.performed().duplicates()),
                    Shown.count(effects.keptAway()),
                    Shown.count(outcome.cut()),
                    Shown.count(accounts.store().succeeded()),
                    Shown.count(accounts.store().otherwise()),
                    Shown.count(accounts.store().unfinished())))
        .demand(
            accounts.missing().lost() == 0, "executions were lost: " + accounts.missing().named())
        .demand(effects.executions() == effects.tasks(), "a task came under two execution ids")
        .demand(accounts.store().unfinished() == 0, "tasks did not end")
        .demand(accounts.store().otherwise() == 0, "tasks did not succeed");
    if (filter == Filter.STORED) {
      verdict
          .demand(accounts.performed().duplicates() == 0, "effects were doubled")
          .demand(effects.keptAway() > 0, "no kill came between an effect and its answer");
    }
  }
}
