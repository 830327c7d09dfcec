package io.kairos.engine.task.edge;

import io.kairos.engine.node.StoreUnavailable;

/**
 * The node cannot accept tasks at present, because the store has not confirmed that it is alive.
 * The request has had no effect.
 */
public final class NotEnrolled extends StoreUnavailable {
  private static final long serialVersionUID = 1L;

  public NotEnrolled() {
    super("this node is not enrolled at present");
  }
}
