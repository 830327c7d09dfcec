package io.kairos.server.wiring;

/**
 * The node cannot start, for a reason outside of it. The message is for the person at the terminal:
 * what is wrong and what to do.
 */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StartException(String message, Throwable cause) {
    super(message, cause);
  }

  /** What the cause says is fit for the person at the terminal. */
  StartException(RuntimeException cause) {
    super(String.valueOf(cause.getMessage()), cause);
  }

  StartException(String message) {
    super(message);
  }
}
