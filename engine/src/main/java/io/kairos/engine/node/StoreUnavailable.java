package io.kairos.engine.node;

/**
 * The store did not carry out or did not confirm a call, for example because it is unreachable,
 * slow or full, or ended a deadlock. The call may or may not have taken effect unless the method
 * says otherwise. Callers retry idempotent calls and read back the effect of the others.
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
