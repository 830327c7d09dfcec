package io.kairos.bench.fault;

import io.kairos.bench.effect.Effect;
import io.kairos.bench.effect.FencedTable;
import io.kairos.bench.effect.TaskExecutions;
import io.kairos.bench.fault.scene.EffectScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.embedded.process.RunningProcess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Executors or whole workers that are stopped for longer than the lease and woken. Judged by their
 * effects, which would go on where they were interrupted.
 */
final class WorkerPause {
  private static final int CONTROLLERS = 2;
  private static final Duration AFTER_EXECUTOR = Duration.ofMillis(500);
  private static final Duration AFTER_WORKER = Duration.ofSeconds(2);
  private static final Duration OVER_WITHIN = Duration.ofSeconds(1);
  private static final Duration JUST_BEFORE = Duration.ofMillis(100);

  /** Longer than the shipped lease of 4.5 s, so that the tasks begin elsewhere meanwhile. */
  private static final int LEAST_MILLIS = 5_000;

  private static final int MOST_MILLIS = 7_000;

  private WorkerPause() {}

  private static void passLonger(SplittableRandom random) {
    BenchWait.pass(Duration.ofMillis(random.nextInt(LEAST_MILLIS, MOST_MILLIS + 1)));
  }

  /** Process mode: an executor of the shipped controller. */
  static void executor(FaultContext context, FaultVerdict verdict)
      throws SQLException, InterruptedException {
    EffectScene scene = EffectScene.begin(context);
    for (int i = 0; i < CONTROLLERS; i++) {
      scene.startController();
    }
    scene.startLoad();
    SplittableRandom random = new SplittableRandom();
    int woken = 0;
    for (int i = 1; i <= context.options.rounds; i++) {
      long pid = scene.awaitExecution(_ -> true).last().pid();
      RunningProcess executor = RunningProcess.find(pid).orElseThrow();
      executor.pause();
      passLonger(random);
      boolean lived = executor.isRunning();
      executor.resume();
      woken += lived ? 1 : 0;
      BenchWait.pass(AFTER_EXECUTOR);
      context.say("%d: %s".formatted(i, lived ? "it was woken" : "it had been killed"));
    }
    LoadAccounts accounts = scene.settle();
    TaskExecutions executions = scene.executions();
    stale(scene, verdict)
        .saw("executors that lived to be woken", Unit.COUNT, woken)
        .saw("overlapping executions", Unit.COUNT, executions.overlapping())
        .demand(executions.overlapping() == 0, "executions of a task overlapped")
        .account(accounts);
  }

  /** A stop of a process, in nanoseconds of the bench's clock, which the workers share. */
  private record Stop(long pid, long stoppedAtNanos, long wokenAtNanos) {}

  /**
   * Thread mode: the whole JVM of one of two workers in turn. The handlers of one stop when they
   * are told to, and it goes on. Those of the other do not, and ask for the halt of its JVM.
   */
  static void worker(FaultContext context, FaultVerdict verdict)
      throws SQLException, InterruptedException {
    EffectScene scene = EffectScene.begin(context);
    FencedTable.create(scene.connection);
    String database = scene.rig.databaseUrl();
    BenchProcess[] workers = {
      scene.startWorker(false, database), scene.startWorker(true, database)
    };
    scene.startLoad();
    SplittableRandom random = new SplittableRandom();
    List<Stop> stops = new ArrayList<>();
    int halts = 0;
    for (int i = 1; i <= context.options.rounds; i++) {
      int turn = i % workers.length;
      long pid = workers[turn].pid();
      scene.awaitExecution(at -> at == pid);
      long stoppedAt = System.nanoTime();
      workers[turn].pause();
      passLonger(random);
      long wokenAt = System.nanoTime();
      workers[turn].resume();
      stops.add(new Stop(pid, stoppedAt, wokenAt));
      BenchWait.pass(AFTER_WORKER);
      boolean halted = !workers[turn].isRunning();
      if (halted) {
        halts++;
        workers[turn] = scene.startWorker(turn == 1, database);
      }
      context.say("%d: %s".formatted(i, halted ? "its JVM halted" : "it goes on"));
    }
    LoadAccounts accounts = scene.settle();
    verdict.saw("halts", Unit.COUNT, halts);
    effects(stale(scene, verdict), scene, stops).account(accounts);
  }

  private static FaultVerdict stale(EffectScene scene, FaultVerdict verdict) throws SQLException {
    long staleResults = scene.endedByAStaleResult();
    return verdict
        .saw("executions", Unit.COUNT, scene.executions().count())
        .saw("stale results accepted", Unit.COUNT, staleResults)
        .demand(staleResults == 0, "a stale result was accepted");
  }

  private static FaultVerdict effects(FaultVerdict verdict, EffectScene scene, List<Stop> stops)
      throws SQLException {
    List<Effect> late = scene.executions().stale();
    FencedTable.Count fenced = FencedTable.count(scene.connection);
    double longest =
        late.stream().mapToDouble(effect -> secondsAfterWaking(effect, stops)).max().orElse(0);
    return verdict
        .saw(
            "results and heartbeats refused",
            Unit.COUNT,
            scene.rig.metric("kairos_lease_fenced_total"))
        .saw("effects through the fence", Unit.COUNT, fenced.effects())
        .saw("overlapping effects through the fence", Unit.COUNT, fenced.overlapping())
        .saw("unfenced effects after waking", Unit.COUNT, late.size())
        .saw("the last of them after waking", Unit.SECONDS, longest)
        .demand(fenced.effects() > 0, "nothing was written through the fence")
        .demand(fenced.overlapping() == 0, "effects passed the fence after a later one")
        .demand(
            late.stream().noneMatch(effect -> secondsAfterWaking(effect, stops) < 0),
            "effects overlapped without a pause")
        .demand(
            longest <= OVER_WITHIN.toSeconds(),
            "unfenced effects went on for longer than a second after waking");
  }

  /**
   * Seconds from the last waking of the process to the effect. Zero for an effect that took its
   * time before the stop and happened after it; negative when the process was not stopped.
   */
  private static double secondsAfterWaking(Effect effect, List<Stop> stops) {
    return stops.stream()
        .filter(stop -> stop.pid == effect.pid())
        .filter(stop -> effect.nanos() - stop.stoppedAtNanos > -JUST_BEFORE.toNanos())
        .mapToDouble(stop -> Math.max(0, (effect.nanos() - stop.wokenAtNanos) / 1e9))
        .min()
        .orElse(-1);
  }
}
