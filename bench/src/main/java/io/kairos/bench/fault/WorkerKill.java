package io.kairos.bench.fault;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.effect.Executions;
import io.kairos.bench.effect.Executions.Execution;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.WorkerProcess;
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
final class WorkerKill implements Fault {
  private static final Duration BETWEEN = Duration.ofSeconds(3);
  private static final Duration ELSEWHERE_WITHIN = Duration.ofSeconds(10);

  @Override
  public String name() {
    return "task-worker-kill";
  }

  @Override
  public String about() {
    return "kill -9 of one of two workers that performs a task: how soon it runs elsewhere";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException, InterruptedException {
    Verdict verdict = new Verdict("%s, %d times".formatted(name(), context.rounds()));
    try (EffectScene scene = EffectScene.begin(context)) {
      Map<Long, WorkerProcess> workers = new HashMap<>();
      start(scene, workers);
      start(scene, workers);
      scene.startLoad();
      List<Kill> kills = new ArrayList<>();
      for (int i = 1; i <= context.rounds(); i++) {
        long pid = scene.awaitExecution(workers::containsKey).last().pid();
        long killedAt = System.nanoTime();
        requireNonNull(workers.remove(pid)).kill();
        List<Execution> held =
            scene.executions().underWay().stream().filter(one -> one.last().pid() == pid).toList();
        kills.add(new Kill(killedAt, held));
        context.progress().say("%s %d: it performed %d tasks".formatted(name(), i, held.size()));
        Waiting.until(() -> successors(scene, held).size() == held.size(), ELSEWHERE_WITHIN);
        start(scene, workers);
        Waiting.pass(BETWEEN);
      }
      TaskAccounts accounts = scene.settle();
      show(verdict, kills, scene);
      Executions executions = scene.executions();
      return verdict
          .saw("executions", Shown.count(executions.count()))
          .demand(executions.overlapping() == 0, "executions of a task overlapped")
          .account(accounts);
    }
  }

  private static void start(EffectScene scene, Map<Long, WorkerProcess> workers) {
    WorkerProcess worker = scene.startWorker(false, "");
    workers.put(worker.pid(), worker);
  }

  private record Kill(long atNanos, List<Execution> held) {}

  private static void show(Verdict verdict, List<Kill> kills, EffectScene scene) {
    DoubleSummaryStatistics seconds = new DoubleSummaryStatistics();
    long held = 0;
    for (Kill kill : kills) {
      held += kill.held.size();
      successors(scene, kill.held)
          .forEach(next -> seconds.accept((next.first().nanos() - kill.atNanos) / 1e9));
    }
    verdict
        .saw(
            "kill to running elsewhere",
            "mean %s, min %s, max %s s, of %d tasks"
                .formatted(
                    Shown.decimal(seconds.getAverage()),
                    Shown.decimal(seconds.getMin()),
                    Shown.decimal(seconds.getMax()),
                    held))
        .demand(held > 0, "no worker performed anything when it was killed")
        .demand(seconds.getCount() == held, "not everything was performed elsewhere")
        .demand(
            seconds.getMax() <= ELSEWHERE_WITHIN.toSeconds(),
            "a task began elsewhere only after " + Shown.decimal(seconds.getMax()) + " s");
  }

  private static List<Execution> successors(EffectScene scene, List<Execution> held) {
    Executions executions = scene.executions();
    return held.stream().flatMap(one -> executions.after(one).stream()).toList();
  }
}
