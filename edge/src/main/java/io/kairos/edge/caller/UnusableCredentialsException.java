package io.kairos.edge.caller;

/** A file with credentials that cannot be used at the start. The message says what to do. */
public final class UnusableCredentialsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableCredentialsException(String message, Throwable cause) {
    super(message, cause);
  }
}
