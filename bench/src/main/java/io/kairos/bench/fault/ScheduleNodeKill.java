package io.kairos.bench.fault;

import io.kairos.bench.load.WallClock;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.schedule.Decisions;
import io.kairos.bench.schedule.FirePlan;
import io.kairos.bench.schedule.Runs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * SIGKILL for the one of two nodes that fires more, just after a fire instant, again and again:
 * what it would have decided the other one decides.
 */
final class ScheduleNodeKill implements Fault {
  private static final Duration LOOK = Duration.ofSeconds(3);
  private static final Duration AFTER = Duration.ofSeconds(8);
  private static final Duration FIRED_WITHIN = Duration.ofSeconds(5);

  /** After a fire instant, while its schedules are being decided. */
  private static final int WITHIN_MILLIS = 250;

  private static final String FIRED = "kairos_schedule_fired_total";

  private final SplittableRandom random = new SplittableRandom();

  @Override
  public String name() {
    return "schedule-node-kill";
  }

  @Override
  public String about() {
    return "kill -9 of one of two nodes: how soon its schedules are fired by the other";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException {
    Verdict verdict =
        new Verdict(
            "%s at %s fires/s, %d times"
                .formatted(name(), Shown.count(context.load().perSecond()), context.rounds()));
    try (SchedulesScene scene = SchedulesScene.begin(context)) {
      FirePlan plan = scene.plan();
      passUntil(plan.atMicros(0));
      Waiting.pass(context.warmup());
      int calmUntil = plan.roundOf(WallClock.micros());
      List<Kill> kills = new ArrayList<>();
      for (int i = 1; i <= context.rounds(); i++) {
        kills.add(kill(scene));
        context.progress().say("%s %d: %s".formatted(name(), i, kills.getLast()));
      }
      SchedulesScene.Outcome outcome = scene.settle();
      Decisions decisions = outcome.decisions();
      Runs runs = outcome.runs();
      DoubleSummaryStatistics decided =
          latest(kills, kill -> decisions.latestMillis(kill.round, kill.round + seconds(AFTER)));
      DoubleSummaryStatistics began =
          latest(kills, kill -> runs.latestMillis(kill.round, kill.round + seconds(AFTER)));
      return account(
          verdict
              .saw("calm", calm(decisions, runs, calmUntil))
              .saw("latest decision after its fire time", shown(decided))
              .saw("latest start after its fire time", shown(began))
              .demand(
                  kills.stream().allMatch(kill -> kill.firedBefore > 0),
                  "a node that was killed had not fired anything")
              .demand(
                  decided.getMax() <= FIRED_WITHIN.toMillis(),
                  "a fire time was decided only after " + Shown.millis(decided.getMax()))
              .demand(
                  began.getMax() <= FIRED_WITHIN.toMillis(),
                  "a run began only after " + Shown.millis(began.getMax())),
          decisions.count(),
          runs.count());
    }
  }

  /**
   * One kill.
   *
   * @param round of the plan in which it happened
   * @param firedBefore by the victim in the three seconds before
   */
  private record Kill(int round, double firedBefore) {
    @Override
    public String toString() {
      return "it had fired %s in the last %d s"
          .formatted(Shown.count(firedBefore), LOOK.toSeconds());
    }
  }

  private Kill kill(SchedulesScene scene) {
    Map<NodeProcess, Double> before = new HashMap<>();
    scene.nodes().forEach(node -> before.put(node, fired(node)));
    Waiting.pass(LOOK);
    NodeProcess victim = scene.nodes().getFirst();
    double most = -1;
    for (NodeProcess node : scene.nodes()) {
      double since = fired(node) - before.getOrDefault(node, 0.0);
      if (since > most) {
        most = since;
        victim = node;
      }
    }
    FirePlan plan = scene.plan();
    int next = plan.roundOf(WallClock.micros()) + 1;
    passUntil(plan.atMicros(next) + random.nextInt(WITHIN_MILLIS) * 1_000L);
    victim.kill();
    Waiting.pass(AFTER);
    scene.replace(victim);
    return new Kill(next, most);
  }

  private static double fired(NodeProcess node) {
    try {
      return node.metrics().sum(FIRED);
    } catch (IOException e) {
      throw new UncheckedIOException(node.name() + " does not tell its metrics", e);
    }
  }

  private static void passUntil(long micros) {
    Waiting.pass(Duration.ofNanos((micros - WallClock.micros()) * 1_000));
  }

  private static int seconds(Duration length) {
    return Math.toIntExact(length.toSeconds());
  }

  private static DoubleSummaryStatistics latest(List<Kill> kills, ToDoubleFunction<Kill> of) {
    return kills.stream().mapToDouble(of).summaryStatistics();
  }

  private static String shown(DoubleSummaryStatistics millis) {
    return "mean %s, min %s, max %s of the %d s after a kill"
        .formatted(
            Shown.millis(millis.getAverage()),
            Shown.millis(millis.getMin()),
            Shown.millis(millis.getMax()),
            AFTER.toSeconds());
  }

  /** The second half of the warm-up. */
  private static String calm(Decisions decisions, Runs runs, int until) {
    return "latest decision %s, latest start %s before the first kill"
        .formatted(
            Shown.millis(decisions.latestMillis(until / 2, until)),
            Shown.millis(runs.latestMillis(until / 2, until)));
  }

  /** How often a run is performed again is for the worker's result that no node took any more. */
  private static Verdict account(Verdict verdict, Decisions.Count decisions, Runs.Count runs) {
    return verdict
        .saw("ledger", decisions.toString())
        .saw("workers", runs.toString())
        .demand(decisions.undecided() == 0, "fire times were lost")
        .demand(decisions.twice() + decisions.unexpected() == 0, "fire times were doubled")
        .demand(decisions.skipped() == 0, "fire times were skipped")
        .demand(decisions.early() + runs.early() == 0, "something fired early")
        .demand(decisions.withoutTask() == 0, "what fired has no task")
        .demand(runs.lost() == 0, "runs were not performed")
        .demand(runs.unexpected() == 0, "runs were performed that the rule does not name");
  }
}
