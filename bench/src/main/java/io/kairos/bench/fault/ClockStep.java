package io.kairos.bench.fault;

import io.kairos.bench.fault.scene.DelayScene;
import io.kairos.bench.fault.scene.EffectScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.fault.scene.NodesScene;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.measure.BenchSql;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.SteppedClock;
import io.kairos.bench.task.ExecutionLog.Execution;
import io.kairos.bench.trial.LoadAccounts;
import io.kairos.embedded.PostgresOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The clock of Postgres steps forward and back under tasks and messages, with tasks of four seconds
 * under way all the time. The nodes' clocks stay right, so nodes pause while it is wrong.
 */
final class ClockStep {
  private static final int NODES = 2;
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final Duration WRONG_FOR = Duration.ofSeconds(3);
  private static final Duration RIGHT_FOR = Duration.ofSeconds(8);

  /** Far beyond the four seconds of a task, and less than these and a step. */
  private static final Duration EXECUTION_TIMEOUT = Duration.ofSeconds(12);

  private static final Duration PUNCTUAL_WITHIN = Duration.ofMinutes(3);
  private static final long LEAST_STEP_MILLIS = 9_000;
  private static final String AHEAD =
      "select (extract(epoch from clock_timestamp()) * 1000)::bigint";

  private static final String OVER_TIME =
      "select count(*) from finished_task where failures::text like '%execution timeout%'";

  private ClockStep() {}

  static void happen(FaultContext context, FaultVerdict verdict)
      throws SQLException, InterruptedException {
    Optional<SteppedClock> stepped = SteppedClock.in(context.resolve(""));
    if (stepped.isEmpty()) {
      verdict.skip("libfaketime is not installed: apt-get install libfaketime");
      return;
    }
    SteppedClock clock = stepped.get();
    BenchRig rig =
        context.startRig(
            PostgresOptions.in(context.resolve("postgres")).withEnvironment(clock.environment()));
    rig.startNodes(NODES);
    EffectScene slow = EffectScene.on(context, rig);
    slow.bound(EXECUTION_TIMEOUT);
    slow.startWorker(false, null);
    slow.startWorker(false, null);
    NodesScene quick = NodesScene.on(context, rig);
    DelayScene messages = new DelayScene(context, rig);
    slow.startLoad();
    quick.startLoad();
    BenchWait.pass(context.options.warmup);
    messages.awaitPunctual(PUNCTUAL_WITHIN);
    long before = messages.duplicates();
    for (int i = 1; i <= context.options.rounds; i++) {
      Duration step = i % 2 == 0 ? STEP.negated() : STEP;
      clock.setAhead(step);
      BenchWait.pass(WRONG_FOR);
      long ahead = BenchSql.number(slow.connection, AHEAD) - System.currentTimeMillis();
      verdict.demand(
          Math.abs(ahead) >= LEAST_STEP_MILLIS, "the clock of Postgres did not step: " + ahead);
      clock.setAhead(Duration.ZERO);
      BenchWait.pass(RIGHT_FOR);
      context.say("%d: by %+d s and back".formatted(i, step.toSeconds()));
    }
    boolean isPunctual = messages.awaitPunctual(PUNCTUAL_WITHIN) >= 0;
    long repeated = messages.duplicates() - before;
    quick.stopLoad();
    slow.stopLoad();
    LoadAccounts sent = messages.settle();
    LoadAccounts performed = quick.settle();
    LoadAccounts lasting = slow.settle();
    long overTime = BenchSql.number(slow.connection, OVER_TIME);
    int overlapping = slow.executions().overlapping();
    verdict
        .saw("steps, and as many back", Unit.COUNT, context.options.rounds)
        .saw("executions of four seconds", Unit.COUNT, slow.executions().count())
        .saw("tasks of four seconds", Unit.COUNT, lasting.accepted())
        .saw("executions ended as over time", Unit.COUNT, overTime)
        .saw("overlapping executions", Unit.COUNT, overlapping)
        .saw("overlapping executions of quick tasks", Unit.COUNT, overlapping(quick))
        .saw("quick tasks performed again", Unit.COUNT, performed.duplicates())
        .saw("messages repeated", Unit.COUNT, repeated)
        .saw("early messages and tasks", Unit.COUNT, sent.early() + performed.early())
        .saw(
            "lost",
            Unit.COUNT,
            sent.missing().lost() + performed.missing().lost() + lasting.missing().lost())
        .demand(overTime == 0, "executions of four seconds were over time")
        .demand(overlapping == 0, "executions of a task overlapped")
        .demand(overlapping(quick) == 0, "executions of a quick task overlapped")
        .demand(sent.early() + performed.early() == 0, "something was early")
        .demand(isPunctual, "messages did not become punctual again")
        .demand(lasting.missing().lost() == 0, "tasks of four seconds are lost")
        .demand(performed.missing().lost() == 0, "quick tasks are lost")
        .account(sent);
  }

  /** Executions of quick tasks that began before another one of the same task had ended. */
  private static int overlapping(NodesScene quick) {
    Map<Long, Long> endedAtNanos = new HashMap<>();
    int overlapping = 0;
    for (Execution one : quick.executions()) {
      Long before = endedAtNanos.put(one.sequence(), one.endedNanos());
      overlapping += before != null && one.beganNanos() - before < 0 ? 1 : 0;
    }
    return overlapping;
  }
}
