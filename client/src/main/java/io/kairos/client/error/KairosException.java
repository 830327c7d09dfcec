package io.kairos.client.error;

import org.jspecify.annotations.Nullable;

/**
 * A call to Kairos failed. Subclasses tell the reason; this class stands for all other failures.
 */
public class KairosException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public KairosException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
