package io.kairos.engine.task;

import io.kairos.engine.node.StoreUnavailable;

/**
 * The node cannot take tasks yet, or not at present: it does not count as alive, as the store has
 * not confirmed it. What was asked has had no effect.
 */
public final class NotEnrolled extends StoreUnavailable {
  private static final long serialVersionUID = 1L;

  public NotEnrolled() {
    super("this node is not enrolled at present");
  }
}
