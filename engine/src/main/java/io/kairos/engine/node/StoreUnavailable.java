package io.kairos.engine.node;

/**
 * The store did not do, or did not confirm, what was asked: unreachable, timed out, full, deadlock
 * victim. The call may or may not have taken effect unless it says otherwise; callers repeat what
 * is safe to repeat and read back the rest.
 */
public class StoreUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailable(String message, Throwable cause) {
    super(message, cause);
  }

  public StoreUnavailable(String message) {
    super(message);
  }
}
