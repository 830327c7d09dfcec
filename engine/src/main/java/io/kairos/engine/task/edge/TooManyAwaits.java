package io.kairos.engine.task.edge;

/** As many callers as may wait already for tasks to end. The request has had no effect. */
public final class TooManyAwaits extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TooManyAwaits(String bound) {
    super(bound);
  }
}
