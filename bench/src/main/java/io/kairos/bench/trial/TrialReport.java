package io.kairos.bench.trial;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;

/** What a run showed. */
public record TrialReport(FigureList figures, RunVerdict verdict) {
  /** With the verdict as the last row of the figures. */
  public TrialReport {
    figures.fact("verdict", verdict);
  }
}
