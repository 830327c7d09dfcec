package io.kairos.server.wiring;

/**
 * The environment prevents the start. The message tells the person at the terminal what is wrong
 * and what to do.
 */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StartException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Takes over the message of the cause. */
  StartException(RuntimeException cause) {
    super(String.valueOf(cause.getMessage()), cause);
  }

  public StartException(String message) {
    super(message);
  }
}
