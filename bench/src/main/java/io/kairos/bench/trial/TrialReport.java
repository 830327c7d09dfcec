package io.kairos.bench.trial;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;

/** The result of a run. */
public record TrialReport(FigureList figures, RunVerdict verdict) {
  /** Creates a report whose last row of figures is the verdict. */
  public TrialReport {
    figures.fact("verdict", verdict);
  }
}
