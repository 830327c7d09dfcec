package io.kairos.bench.fault;

import io.kairos.bench.report.LatenessPlot;
import java.util.List;

/** Lateness over the time of a fault. */
final class Plots {
  private Plots() {}

  static String of(String title, Scene scene) {
    return LatenessPlot.svg(
        title,
        scene.ledger().perSecond().stream()
            .map(s ->
                new LatenessPlot.Point(
                    s.second(), s.lateness().p50(), s.lateness().p99(), s.lateness().p999()))
            .toList(),
        List.of(),
        500);
  }
}
