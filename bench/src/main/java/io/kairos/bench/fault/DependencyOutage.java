package io.kairos.bench.fault;

import io.kairos.bench.load.WallClock;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.NodeProcess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Something that nodes stand on is away for a while under load, twice: nothing may be lost, the
 * nodes live on, hardly use the processor meanwhile, and go on alone afterwards.
 */
final class DependencyOutage {
  /** At first a node may be busy with what it had begun. */
  private static final Duration CALM_AFTER = Duration.ofSeconds(5);

  private static final double MOST_PERCENT = 5;
  private static final int NODES = 2;

  private final String name;
  private final Step goAway;
  private final Step comeBack;

  /** Makes something go away or come back. */
  @FunctionalInterface
  interface Step {
    void happen(BenchRig rig);
  }

  DependencyOutage(String name, Step goAway, Step comeBack) {
    this.name = name;
    this.goAway = goAway;
    this.comeBack = comeBack;
  }

  void happen(FaultContext context, FaultVerdict verdict) throws SQLException {
    DelayScene scene = DelayScene.begin(context, NODES);
    context.say(name + ": warming up for " + ShownNumbers.duration(context.options.warmup));
    scene.goOn(context.options.warmup);
    List<NodeProcess> nodes = scene.nodes();
    // Both count for the accounts. The processor time of the first is shown and not judged: the
    // JIT compiler meets in it, once in a process's life, what only an outage runs.
    outage(scene, context, "the first time", verdict);
    double most = outage(scene, context, "again", verdict);
    verdict
        .demand(
            most <= MOST_PERCENT || isShort(context.options.outage),
            "a node used more than 5 % of a core while it could do nothing")
        .demand(scene.nodes().equals(nodes), "a node did not survive")
        .account(scene.settle());
  }

  /** Returns the percentage of a core that the busiest node used meanwhile. */
  private double outage(DelayScene scene, FaultContext context, String which, FaultVerdict verdict)
      throws SQLException {
    goAway.happen(scene.rig());
    context.say(name + ": away " + which);
    double most = mostPercent(scene, context.options.outage);
    comeBack.happen(scene.rig());
    context.say(name + ": back");
    verdict.saw("busiest node, of a core, " + which, Unit.PERCENT, most);
    scene.demandPunctual(
        which, WallClock.micros(), Duration.ofMinutes(2).plus(context.options.outage), verdict);
    return most;
  }

  private static boolean isShort(Duration outage) {
    return outage.compareTo(CALM_AFTER.multipliedBy(2)) <= 0;
  }

  /** Lets the outage last; the figure of the busiest node once it has noticed. */
  private static double mostPercent(DelayScene scene, Duration outage) {
    Duration calm = isShort(outage) ? Duration.ZERO : CALM_AFTER;
    scene.goOn(calm);
    List<NodeProcess> nodes = scene.nodes();
    List<Duration> before = nodes.stream().map(NodeProcess::processorTime).toList();
    long began = System.nanoTime();
    scene.goOn(outage.minus(calm));
    long nanos = System.nanoTime() - began;
    double most = 0;
    for (int i = 0; i < nodes.size(); i++) {
      Duration used = nodes.get(i).processorTime().minus(before.get(i));
      most = Math.max(most, 100.0 * used.toNanos() / nanos);
    }
    return most;
  }
}
