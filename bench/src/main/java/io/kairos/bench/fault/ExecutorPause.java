package io.kairos.bench.fault;

import io.kairos.bench.effect.Executions;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.Standstill;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Process mode: an executor of the shipped controller is stopped for longer than the lease and
 * woken. Judged by its effects, which would go on where they were interrupted.
 */
final class ExecutorPause implements Fault {
  private static final int CONTROLLERS = 2;
  private static final Duration AFTERWARDS = Duration.ofMillis(500);

  @Override
  public String name() {
    return "task-executor-pause";
  }

  @Override
  public String about() {
    return "an executor process is stopped for longer than the lease: no two executions overlap";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException, InterruptedException {
    Verdict verdict = new Verdict("%s, %d times".formatted(name(), context.rounds()));
    try (EffectScene scene = EffectScene.begin(context)) {
      for (int i = 0; i < CONTROLLERS; i++) {
        scene.startController();
      }
      scene.startLoad();
      PauseLength lengths = new PauseLength();
      int woken = 0;
      for (int i = 1; i <= context.rounds(); i++) {
        long pid = scene.awaitExecution(_ -> true).last().pid();
        Standstill.begin(pid);
        Waiting.pass(lengths.next());
        boolean lived = Standstill.end(pid);
        woken += lived ? 1 : 0;
        Waiting.pass(AFTERWARDS);
        context
            .progress()
            .say("%s %d: %s".formatted(name(), i, lived ? "it was woken" : "it had been killed"));
      }
      TaskAccounts accounts = scene.settle();
      Executions executions = scene.executions();
      long staleResults = scene.endedByAStaleResult();
      return verdict
          .saw("pauses", context.rounds() + " of " + PauseLength.SHOWN)
          .saw("executors that lived to be woken", Shown.count(woken))
          .saw("executions", Shown.count(executions.count()))
          .saw("overlapping executions", Shown.count(executions.overlapping()))
          .saw("stale results accepted", Shown.count(staleResults))
          .demand(executions.overlapping() == 0, "executions of a task overlapped")
          .demand(staleResults == 0, "a stale result was accepted")
          .account(accounts);
    }
  }
}
