package io.kairos.bench.fault;

import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.fault.scene.NodesScene;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.schedule.FireDecisions;
import io.kairos.bench.schedule.FirePlan;
import io.kairos.bench.schedule.PlannedRuns;
import io.kairos.bench.schedule.ScheduleRegistration;
import io.kairos.bench.schedule.ScheduleTables;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * SIGKILL for the one of two nodes that fires more, just after a fire instant, again and again:
 * what it would have decided the other one decides. All schedules fire at every second, whatever of
 * them is still unfinished.
 */
final class ScheduleNodeKill {
  private static final int NODES = 2;
  private static final Duration LOOK = Duration.ofSeconds(3);
  private static final Duration AFTER = Duration.ofSeconds(8);
  private static final Duration FIRED_WITHIN = Duration.ofSeconds(5);

  /** A kill comes this soon after a fire instant, while its schedules are being decided. */
  private static final int WITHIN_MILLIS = 250;

  private static final String FIRED = "kairos_schedule_fired_total";

  private final FaultContext context;
  private final NodesScene scene;
  private final LoadPayload payload;
  private final FirePlan plan;
  private final SplittableRandom random = new SplittableRandom();

  /**
   * One kill.
   *
   * @param round of the plan in which it happened
   * @param firedBefore by the victim in the three seconds before
   */
  private record Kill(int round, double firedBefore) {}

  ScheduleNodeKill(FaultContext context) throws SQLException {
    this.context = context;
    scene = NodesScene.begin(context, NODES);
    payload = scene.payload;
    int schedules = Math.toIntExact(Math.round(context.options.rate));
    plan = ScheduleRegistration.everySecond(scene.rig, schedules, payload, context::say);
  }

  void happen(FaultVerdict verdict) throws SQLException {
    BenchWait.passUntil(plan.atMicros(0));
    BenchWait.pass(context.options.warmup);
    int calmUntil = plan.roundOf(LoadClock.micros());
    List<Kill> kills = new ArrayList<>();
    for (int i = 1; i <= context.options.rounds; i++) {
      kills.add(kill());
      context.say("%d: %s".formatted(i, kills.getLast()));
    }
    int rounds = plan.roundOf(LoadClock.micros()) + 1;
    ScheduleTables.awaitEnd(scene.connection, plan.atMicros(rounds - 1));
    scene.stopWorkers();
    FireDecisions decisions = ScheduleTables.judge(scene.connection, plan, 0, rounds);
    PlannedRuns runs = new PlannedRuns(plan, PlannedRuns.AT_ONCE, 0, rounds);
    scene.executions().forEach(one -> runs.performed(one, payload.run()));
    verdict
        .saw(
            "latest decision before the first kill",
            Unit.MILLIS,
            decisions.latestMillis(calmUntil / 2, calmUntil))
        .saw(
            "latest start before the first kill",
            Unit.MILLIS,
            runs.latestMillis(calmUntil / 2, calmUntil))
        .demand(
            kills.stream().allMatch(kill -> kill.firedBefore > 0),
            "a node that was killed had not fired anything");
    int after = Math.toIntExact(AFTER.toSeconds());
    latest(
        "decision", kills, kill -> decisions.latestMillis(kill.round, kill.round + after), verdict);
    latest("start", kills, kill -> runs.latestMillis(kill.round, kill.round + after), verdict);
    decisions.report(verdict.figures(), verdict.demands());
    // A run is performed again when no node took the worker's result any more.
    runs.report(verdict.figures(), verdict.demands());
  }

  private Kill kill() {
    List<BenchNodeProcess> nodes = scene.rig.nodes();
    Map<BenchNodeProcess, Double> before = new HashMap<>();
    nodes.forEach(node -> before.put(node, node.metrics().sum(FIRED)));
    BenchWait.pass(LOOK);
    BenchNodeProcess victim = nodes.getFirst();
    double most = -1;
    for (BenchNodeProcess node : nodes) {
      double since = node.metrics().sum(FIRED) - before.getOrDefault(node, 0.0);
      if (since > most) {
        most = since;
        victim = node;
      }
    }
    int next = plan.roundOf(LoadClock.micros()) + 1;
    BenchWait.passUntil(plan.atMicros(next) + random.nextInt(WITHIN_MILLIS) * 1_000L);
    victim.kill();
    BenchWait.pass(AFTER);
    scene.rig.replaceNode(victim);
    return new Kill(next, most);
  }

  private static void latest(
      String what, List<Kill> kills, ToDoubleFunction<Kill> of, FaultVerdict verdict) {
    double most = kills.stream().mapToDouble(of).max().orElse(0);
    verdict
        .saw(
            "latest " + what + " after a kill, mean",
            Unit.MILLIS,
            kills.stream().mapToDouble(of).average().orElse(0))
        .saw("latest " + what + " after a kill, max", Unit.MILLIS, most)
        .demand(
            most <= FIRED_WITHIN.toMillis(),
            "the latest " + what + " came after " + ShownNumbers.millis(most));
  }
}
