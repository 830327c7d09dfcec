package io.kairos.bench.fault;

import io.kairos.bench.measure.NodeMetrics;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A node stands still beyond its lapse and comes back: the other takes over, the first notices that
 * its life is over, and goes on under a new id.
 */
final class Pause implements Fault {
  private static final Duration BEFORE = Duration.ofSeconds(5);
  private static final Duration BETWEEN = Duration.ofSeconds(4);
  private static final Duration PUNCTUAL = Duration.ofMillis(500);

  /** Around the lapse of 1.5 s and the hold time of 5 s, both shipped. */
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofMillis(800),
          Duration.ofMillis(1_600),
          Duration.ofSeconds(3),
          Duration.ofSeconds(8));

  @Override
  public String name() {
    return "pause";
  }

  @Override
  public String about() {
    return "a node is stopped in its tracks for less and more than its lapse, and woken";
  }

  @Override
  public Verdict happen(FaultContext context) throws SQLException {
    Verdict verdict = new Verdict("pause of 0.8, 1.6, 3 and 8 s");
    try (Rig rig = Rig.start(context.workplace(), context.server());
        Scene scene =
            Scene.begin(
                rig, rig.newRoute(context.partitions()), context.settings(), 2, context.load())) {
      scene.goOn(BEFORE);
      List<NodeProcess> nodes = scene.nodes();
      for (Duration length : PAUSES) {
        long duplicates = scene.ledger().count().duplicates();
        NodeProcess node = nodes.getFirst();
        node.pause();
        scene.goOn(length);
        node.resume();
        boolean punctual = scene.awaitPunctual(PUNCTUAL, Duration.ofMinutes(1));
        verdict.demand(punctual, "not punctual again after " + Shown.duration(length));
        scene.goOn(BETWEEN);
        verdict.saw(
            Shown.duration(length),
            scene.ledger().count().duplicates() - duplicates + " duplicates");
      }
      verdict.saw("lives ended by lapse", Shown.count(lapses(nodes)));
      verdict.demand(scene.nodes().equals(nodes), "a node did not survive");
      return verdict.account(scene.settle());
    }
  }

  private static double lapses(List<NodeProcess> nodes) {
    double lapses = 0;
    for (NodeProcess node : nodes) {
      try {
        NodeMetrics metrics = node.metrics();
        lapses += metrics.sum("kairos_node_lapses_total");
      } catch (IOException e) {
        throw new IllegalStateException(node.name() + " does not tell its metrics", e);
      }
    }
    return lapses;
  }
}
