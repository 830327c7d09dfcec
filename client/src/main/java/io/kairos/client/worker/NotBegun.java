package io.kairos.client.worker;

/**
 * Thrown by a handler that has done nothing of the task and cannot do it now: it goes back to the
 * nodes for any worker, at once, and the attempt does not count. A handler that knows before is
 * rather not {@link Handler#isReady ready}, or it will soon be given the same task again.
 */
public final class NotBegun extends RuntimeException {
  private static final long serialVersionUID = 1;

  public NotBegun(String why) {
    super(why);
  }
}
