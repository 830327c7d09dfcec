package io.kairos.engine.cluster;

import io.kairos.domain.node.NodeId;

/**
 * The figures that a node shares of its last minute.
 *
 * @param period the number of the {@link FigurePeriod} with which the minute ends
 */
public record NodeDetails(NodeId node, long period, DetailFigures figures) {}
