package io.kairos.engine.cluster;

import java.util.List;

/**
 * The figures of periods that are over.
 *
 * @param periods in the order of their times
 * @param isOwnOnly true while the store does not answer: then they are those of one node
 */
public record ClusterFigures(List<ClusterPeriod> periods, boolean isOwnOnly) {
  public ClusterFigures {
    periods = List.copyOf(periods);
  }

  /**
   * The sum of the nodes in a period.
   *
   * @param number of the {@link FigurePeriod}
   * @param nodes how many nodes have told their parts
   */
  public record ClusterPeriod(long number, int nodes, PeriodFigures figures) {}
}
