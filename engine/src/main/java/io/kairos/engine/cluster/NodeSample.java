package io.kairos.engine.cluster;

/**
 * What a node has counted since the last sample.
 *
 * @param state the node now
 */
public record NodeSample(NodeState state, PeriodFigures figures) {}
