package io.kairos.bench.fault;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.effect.TaskExecutions;
import io.kairos.bench.effect.TaskExecutions.Execution;
import io.kairos.bench.fault.scene.EffectScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.fault.scene.TaskScene;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.bench.trial.LoadAccounts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * SIGKILL for one of two workers, again and again: what it was performing begins on the other one.
 */
final class WorkerKill {
  private static final Duration BETWEEN = Duration.ofSeconds(3);
  private static final Duration ELSEWHERE_WITHIN = Duration.ofSeconds(10);

  private WorkerKill() {}

  private record Kill(long atNanos, List<Execution> held) {}

  static void happen(FaultContext context, FaultVerdict verdict)
      throws SQLException, InterruptedException {
    EffectScene scene = EffectScene.begin(context);
    Map<Long, BenchProcess> workers = new HashMap<>();
    start(scene, workers);
    start(scene, workers);
    scene.startLoad();
    List<Kill> kills = new ArrayList<>();
    for (int i = 1; i <= context.options.rounds; i++) {
      long pid = scene.awaitExecution(workers::containsKey).last().pid();
      long killedAt = System.nanoTime();
      requireNonNull(workers.remove(pid)).kill();
      List<Execution> held =
          scene.executions().underWay().stream().filter(one -> one.last().pid() == pid).toList();
      kills.add(new Kill(killedAt, held));
      context.say("%d: it performed %d tasks".formatted(i, held.size()));
      BenchWait.until(
          () -> successors(scene, held).size() == held.size(),
          ELSEWHERE_WITHIN,
          TaskScene.LOOK_EVERY);
      start(scene, workers);
      BenchWait.pass(BETWEEN);
    }
    LoadAccounts accounts = scene.settle();
    show(verdict, kills, scene);
    TaskExecutions executions = scene.executions();
    verdict
        .saw("executions", Unit.COUNT, executions.count())
        .demand(executions.overlapping() == 0, "executions of a task overlapped")
        .account(accounts);
  }

  private static void start(EffectScene scene, Map<Long, BenchProcess> workers) {
    BenchProcess worker = scene.startWorker(false, null);
    workers.put(worker.pid(), worker);
  }

  private static void show(FaultVerdict verdict, List<Kill> kills, EffectScene scene) {
    DoubleSummaryStatistics seconds = new DoubleSummaryStatistics();
    long held = 0;
    for (Kill kill : kills) {
      held += kill.held.size();
      successors(scene, kill.held)
          .forEach(next -> seconds.accept((next.first().nanos() - kill.atNanos) / 1e9));
    }
    verdict
        .saw("tasks that were cut off", Unit.COUNT, held)
        .saw("to running elsewhere, mean", Unit.SECONDS, seconds.getAverage())
        .saw("to running elsewhere, max", Unit.SECONDS, seconds.getMax())
        .demand(held > 0, "no worker performed anything when it was killed")
        .demand(seconds.getCount() == held, "not everything was performed elsewhere")
        .demand(
            seconds.getMax() <= ELSEWHERE_WITHIN.toSeconds(),
            "a task began elsewhere only after " + ELSEWHERE_WITHIN.toSeconds() + " s");
  }

  private static List<Execution> successors(EffectScene scene, List<Execution> held) {
    TaskExecutions executions = scene.executions();
    return held.stream().flatMap(one -> executions.after(one).stream()).toList();
  }
}
