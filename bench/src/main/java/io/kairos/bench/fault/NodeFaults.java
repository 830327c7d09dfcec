package io.kairos.bench.fault;

import io.kairos.bench.delay.NodeCounters;
import io.kairos.bench.fault.scene.DelayScene;
import io.kairos.bench.fault.scene.FaultContext;
import io.kairos.bench.fault.scene.FaultVerdict;
import io.kairos.bench.load.BenchWait;
import io.kairos.bench.load.LoadClock;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.report.ShownNumbers;
import io.kairos.bench.rig.BenchNodeProcess;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.trial.LoadAccounts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Nodes of the delay queue that are stopped, stand still, or die at once. */
final class NodeFaults {
  private static final int TERMINATIONS = 5;
  private static final Duration BEFORE = Duration.ofSeconds(5);
  private static final Duration BETWEEN = Duration.ofSeconds(4);
  static final Duration LONGEST_STOP = Duration.ofSeconds(10);
  private static final Duration WITHIN = Duration.ofMinutes(1);
  private static final int MANY = 4;
  private static final Duration CALM = Duration.ofSeconds(20);

  /** Around the lapse of 1.5 s and the hold time of 5 s, both shipped. */
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofMillis(800),
          Duration.ofMillis(1_600),
          Duration.ofSeconds(3),
          Duration.ofSeconds(8));

  private NodeFaults() {}

  /** SIGTERM under load, again and again: no duplicates, quick, and the rest takes over. */
  static void terminate(FaultContext context, FaultVerdict verdict) throws SQLException {
    DelayScene scene = DelayScene.begin(context, 2);
    for (int i = 1; i <= TERMINATIONS; i++) {
      BenchWait.pass(BEFORE);
      long stoppedAt = LoadClock.micros();
      Duration took = scene.rig.nodes().getFirst().stop();
      verdict
          .saw("stop " + i, Unit.MILLIS, took.toNanos() / 1e6)
          .demand(took.compareTo(LONGEST_STOP) < 0, "a stop took " + ShownNumbers.duration(took));
      scene.rig.startNode();
      scene.demandPunctual("after stop " + i, stoppedAt, WITHIN, verdict);
    }
    LoadAccounts accounts = scene.settle();
    verdict.demand(accounts.duplicates() == 0, "a graceful stop made duplicates").account(accounts);
  }

  /**
   * A node stands still beyond its lapse and comes back: the other takes over, the first notices
   * that its life is over, and goes on under a new id.
   */
  static void pause(FaultContext context, FaultVerdict verdict) throws SQLException {
    DelayScene scene = DelayScene.begin(context, 2);
    BenchWait.pass(BEFORE);
    BenchNodeProcess paused = scene.rig.nodes().getFirst();
    for (Duration length : PAUSES) {
      String which = "after " + ShownNumbers.duration(length);
      long duplicates = scene.duplicates();
      paused.pause();
      BenchWait.pass(length);
      paused.resume();
      scene.demandPunctual(which, LoadClock.micros(), WITHIN, verdict);
      BenchWait.pass(BETWEEN);
      verdict.saw("duplicates " + which, Unit.COUNT, scene.duplicates() - duplicates);
    }
    verdict
        .saw("lives ended by lapse", Unit.COUNT, scene.rig.metric("kairos_node_lapses_total"))
        .demand(scene.allSurvived(), "a node did not survive")
        .account(scene.settle());
  }

  /** Four nodes share the work without taking anything from each other; then two die at once. */
  static void fourNodes(FaultContext context, FaultVerdict verdict) throws SQLException {
    BenchRig rig = context.startRig();
    rig.createTopics(Math.max(MANY, context.node.partitions));
    rig.startNodes(MANY);
    DelayScene scene = new DelayScene(context, rig);
    long began = LoadClock.micros();
    BenchWait.pass(CALM);
    verdict
        .figures()
        .lateness(
            "calm",
            "calm",
            scene.arrivals.lateness(began, LoadClock.micros() - 1_000_000, _ -> true));
    Map<String, Double> counters = NodeCounters.sum(scene.rig.nodes());
    verdict
        .demand(
            counters.getOrDefault(NodeCounters.TAKEN_OVER, 0.0) == 0,
            "messages were taken over without a fault")
        .demand(
            counters.getOrDefault(NodeCounters.SUSPECTED, 0.0) == 0,
            "a node was suspected without a fault")
        .demand(scene.duplicates() == 0, "duplicates without a fault");
    List<BenchNodeProcess> nodes = scene.rig.nodes();
    nodes.get(0).kill();
    nodes.get(1).kill();
    scene.demandPunctual("after two died", LoadClock.micros(), WITHIN, verdict);
    verdict.account(scene.settle());
  }
}
