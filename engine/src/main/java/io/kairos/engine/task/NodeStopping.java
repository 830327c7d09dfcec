package io.kairos.engine.task;

/** The node stops; whoever asks should ask another. What was asked has had no effect. */
public final class NodeStopping extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NodeStopping() {
    super("this node stops");
  }
}
