package io.kairos.engine.task.edge;

/** The node stops. The request has had no effect, and the caller should ask another node. */
public final class NodeStopping extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NodeStopping() {
    super("this node stops");
  }
}
