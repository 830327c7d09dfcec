package io.kairos.engine.cluster;

import io.kairos.domain.node.NodeId;

/**
 * The figures that a node shares of one period.
 *
 * @param period the number of the {@link FigurePeriod}
 * @param state the node at the end of the period
 * @param isLast true when the node has stopped after it, so that it is not missed
 */
public record NodeFigures(
    NodeId node, long period, NodeState state, PeriodFigures figures, boolean isLast) {
  /** Without the description of the node. */
  public NodePeriod withoutState() {
    return new NodePeriod(node, period, figures);
  }
}
