package io.kairos.bench.fault;

import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.fault.scene.PushScene;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.push.PushWorkerMain.Filter;
import io.kairos.bench.push.PushedEffects;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.LoadAccounts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;

/**
 * SIGKILL for one of three HTTP workers under load, again and again: first with receivers that keep
 * repeats away in the transaction of the effect, then with those that only remember.
 */
final class PushWorkerKill {
  private static final Duration BETWEEN = Duration.ofSeconds(3);

  private PushWorkerKill() {}

  static void happen(FaultContext context, FaultVerdict verdict)
      throws SQLException, InterruptedException {
    BenchRig rig = context.startNodes(1);
    PushedEffects.create(rig.connect());
    for (Filter filter : Filter.values()) {
      PushScene scene = new PushScene(context, rig, filter);
      BenchWait.pass(BETWEEN);
      boolean back = true;
      for (int i = 1; i <= context.options.rounds; i++) {
        back &= scene.kill(i);
        context.say("%d, %s".formatted(i, words(filter)));
        BenchWait.pass(BETWEEN);
      }
      verdict.demand(back, "the pool did not take a new worker back");
      judge(verdict, filter, scene.settle(), scene.effects());
    }
  }

  private static String words(Filter filter) {
    return switch (filter) {
      case STORED -> "transactional filter";
      case RECENT -> "local cache";
    };
  }

  /** Without the transaction an effect may be had again, which is told; nothing may be lost. */
  static void judge(
      FaultVerdict verdict, Filter filter, LoadAccounts accounts, PushedEffects.Count effects) {
    String key = filter.name().toLowerCase(Locale.ROOT) + ".";
    verdict
        .figures()
        .row(words(filter))
        .count(key + "accepted", "tasks accepted", accounts.accepted())
        .count(key + "uncertain", "uncertain", accounts.uncertain())
        .count(key + "lost", "executions lost", accounts.missing().lost())
        .count(key + "doubled", "effects doubled", accounts.duplicates())
        .count(key + "keptAway", "repeats that came to nothing", effects.keptAway());
    verdict
        .demand(accounts.missing().lost() == 0, "executions were lost: " + accounts.losses())
        .demand(effects.executions() == effects.tasks(), "a task came under two execution ids")
        .demand(accounts.left() == 0, "tasks did not end")
        .demand(accounts.otherwise() == 0, "tasks did not succeed");
    if (filter == Filter.STORED) {
      verdict
          .demand(accounts.duplicates() == 0, "effects were doubled")
          .demand(effects.keptAway() > 0, "no kill came between an effect and its answer");
    }
  }
}
