package io.kairos.bench.trial;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;

/** The result of a run. */
public record TrialReport(FigureList figures, RunVerdict verdict) {
  /** With the verdict as the last row of the figures. */
  public TrialReport {
    figures.fact("verdict", verdict);
  }
}
