package io.kairos.bench.fault;

import io.kairos.bench.delay.NodeCounters;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Four nodes share the work without taking anything from each other; then two die at once. */
final class ManyNodes implements Fault {
  private static final int NODES = 4;
  private static final Duration CALM = Duration.ofSeconds(20);
  private static final Duration PUNCTUAL = Duration.ofMillis(500);

  @Override
  public String name() {
    return "four-nodes";
  }

  @Override
  public String about() {
    return "four nodes share the work; then two of them are killed at the same moment";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException {
    Verdict verdict = new Verdict("four-nodes");
    try (Rig rig = Rig.start(context.workplace(), context.server());
        Scene scene =
            Scene.begin(
                rig,
                rig.newRoute(Math.max(NODES, context.partitions())),
                context.settings(),
                NODES,
                context.load())) {
      long began = WallClock.micros();
      scene.goOn(CALM);
      Lateness lateness = scene.arrivals().lateness(began, WallClock.micros() - 1_000_000);
      Map<String, Double> counters = NodeCounters.sum(scene.nodes());
      double takenOver = counters.getOrDefault(NodeCounters.TAKEN_OVER, 0.0);
      double suspected = counters.getOrDefault(NodeCounters.SUSPECTED, 0.0);
      verdict
          .saw(
              "calm",
              "p50 %s, p99.9 %s"
                  .formatted(Shown.millis(lateness.p50()), Shown.millis(lateness.p999())))
          .saw("taken over without a fault", Shown.count(takenOver))
          .demand(takenOver == 0, "messages were taken over without a fault")
          .demand(suspected == 0, "a node was suspected without a fault")
          .demand(scene.ledger().count().duplicates() == 0, "duplicates without a fault");
      List<NodeProcess> nodes = scene.nodes();
      nodes.get(0).kill();
      nodes.get(1).kill();
      long killed = System.nanoTime();
      boolean punctual = scene.awaitPunctual(PUNCTUAL, Duration.ofMinutes(1));
      verdict
          .saw(
              "punctual again",
              Shown.millis((System.nanoTime() - killed) / 1e6 - Scene.PUNCTUAL_FOR_MICROS / 1e3)
                  + " after two died")
          .demand(punctual, "not punctual again after two died");
      return verdict.account(scene.settle());
    }
  }
}
