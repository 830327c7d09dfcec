package io.kairos.bench.trial;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;

/**
 * What a run showed.
 *
 * @param plot lateness over time as SVG; empty for none
 */
public record TrialReport(FigureList figures, RunVerdict verdict, String plot) {}
