package io.kairos.bench.fault;

import io.kairos.bench.fault.scene.DelayScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Something that nodes stand on is away for a while under load, twice: nothing may be lost, the
 * nodes live on, hardly use the processor meanwhile, and go on alone afterwards.
 */
record DependencyOutage(Consumer<BenchRig> goAway, Consumer<BenchRig> comeBack) {
  /** Time in which a node may still be busy with work that it had begun. */
  private static final Duration CALM_AFTER = Duration.ofSeconds(5);

  private static final double MOST_PERCENT = 5;
  private static final int NODES = 2;

  void happen(FaultContext context, FaultVerdict verdict) throws SQLException {
    DelayScene scene = DelayScene.begin(context, NODES);
    context.say("warming up for " + ShownNumbers.duration(context.options.warmup));
    BenchWait.pass(context.options.warmup);
    // The accounts cover both outages. The processor time of the first is shown and not judged:
    // the JIT compiler compiles in it, once in a process's life, the code that only an outage runs.
    outage(scene, context, "the first time", verdict);
    double most = outage(scene, context, "again", verdict);
    verdict
        .demand(
            most <= MOST_PERCENT || isShort(context.options.outage),
            "a node used more than 5 % of a core while it could do nothing")
        .demand(scene.allSurvived(), "a node did not survive")
        .account(scene.settle());
  }

  /** Returns the percentage of a core that the busiest node used meanwhile. */
  private double outage(DelayScene scene, FaultContext context, String which, FaultVerdict verdict)
      throws SQLException {
    goAway.accept(scene.rig);
    context.say("away " + which);
    double most = mostPercent(scene, context.options.outage);
    comeBack.accept(scene.rig);
    context.say("back");
    verdict.saw("busiest node, of a core, " + which, Unit.PERCENT, most);
    scene.demandPunctual(
        which, LoadClock.micros(), Duration.ofMinutes(2).plus(context.options.outage), verdict);
    return most;
  }

  private static boolean isShort(Duration outage) {
    return outage.compareTo(CALM_AFTER.multipliedBy(2)) <= 0;
  }

  /** Lets the outage last; returns the busiest node's percentage of a core after it noticed. */
  private static double mostPercent(DelayScene scene, Duration outage) {
    Duration calm = isShort(outage) ? Duration.ZERO : CALM_AFTER;
    BenchWait.pass(calm);
    List<BenchNodeProcess> nodes = scene.rig.nodes();
    List<Duration> before = nodes.stream().map(BenchNodeProcess::processorTime).toList();
    long began = System.nanoTime();
    BenchWait.pass(outage.minus(calm));
    long nanos = System.nanoTime() - began;
    double most = 0;
    for (int i = 0; i < nodes.size(); i++) {
      Duration used = nodes.get(i).processorTime().minus(before.get(i));
      most = Math.max(most, 100.0 * used.toNanos() / nanos);
    }
    return most;
  }
}
