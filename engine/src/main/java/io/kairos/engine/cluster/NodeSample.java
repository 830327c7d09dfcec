package io.kairos.engine.cluster;

/**
 * The counts of a node since its last sample.
 *
 * @param state the node now
 * @param details the same by handler and endpoint
 */
public record NodeSample(NodeState state, PeriodFigures figures, DetailFigures details) {
  /** With so much as a node tells, which bounds the bytes of its figures in the store. */
  NodeSample bounded() {
    return new NodeSample(state.bounded(), figures.bounded(), details.bounded());
  }
}
