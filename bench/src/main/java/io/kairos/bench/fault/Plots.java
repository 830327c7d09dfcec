package io.kairos.bench.fault;

import io.kairos.bench.report.LatenessPlot;
import java.util.List;

/** Lateness over the time of a fault. */
final class Plots {
  private Plots() {}

  static String of(String title, Scene scene) {
    return LatenessPlot.svg(title, LatenessPlot.points(scene.ledger().perSecond()), List.of(), 500);
  }
}
