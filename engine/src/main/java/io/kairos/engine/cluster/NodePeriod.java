package io.kairos.engine.cluster;

import io.kairos.domain.node.NodeId;

/**
 * The figures of one node in one period.
 *
 * @param period the number of the {@link FigurePeriod}
 */
public record NodePeriod(NodeId node, long period, PeriodFigures figures) {}
