package io.kairos.client.handler;

/**
 * Thrown by a handler that has not begun the task and cannot perform it now. The task goes back to
 * the nodes at once, for any worker, and the attempt does not count. A handler that knows in
 * advance should not be {@link Handler#isReady ready}, because it may soon get the same task again.
 */
public final class NotBegun extends RuntimeException {
  private static final long serialVersionUID = 1;

  public NotBegun(String why) {
    super(why);
  }
}
